// 100,000 grants and a million expired tokens: node sweep.mjs <database url>. Sweeps them while tokens are
// looked up, and prints how long the sweep and the slowest look-up took.
import { randomBytes } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../../apps/server/src/generated/prisma/client.ts';
import { sweep } from '../../apps/server/src/housekeeping.ts';
import { findCaller } from '../../apps/server/src/identity/find-caller.ts';
import { defaultWindows } from '../../apps/server/src/sessions/windows.ts';

const GRANTS = 100_000;
const TOKENS_OF_EACH = 10;
const LOOK_UP_EVERY = 5;

const [databaseUrl] = process.argv.slice(2);
await fill();
const db = new PrismaClient({ adapter: new PrismaPg({ connectionString: databaseUrl }) });
const lookUps = [];
let isDone = false;
const looking = lookUp();
const start = performance.now();
await sweep(db, defaultWindows);
const seconds = (performance.now() - start) / 1000;
isDone = true;
await looking;
const left = await db.oauthToken.count();
const sorted = lookUps.toSorted((a, b) => a - b);
const p99 = sorted[Math.floor(sorted.length * 0.99)];
console.log(
  `A sweep of ${GRANTS * TOKENS_OF_EACH} expired tokens of ${GRANTS} grants takes ${seconds.toFixed(1)} s and leaves ${left}; ` +
    `meanwhile a look-up of a token takes ${p99.toFixed(1)} ms at most in 99 of 100 cases, ${sorted.at(-1).toFixed(1)} ms in all of ${sorted.length}.`,
);
await db.$disconnect();

async function fill() {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    'SELECT a."id", a."organizationId", u."id" AS "userId" FROM "Application" a, "User" u LIMIT 1',
  );
  const [{ id, organizationId, userId }] = rows;
  await client.query(
    `INSERT INTO "Grant" ("id", "organizationId", "userId", "applicationId", "clientId", "redirectUri",
       "resources", "scopes", "integrationIds", "createdAt", "expiresAt")
     SELECT md5('g' || n)::uuid, $1, $2, $3::uuid, $3::uuid::text, 'https://app.example.com/', '{}', '{mcp}', '{}',
       now(), now() + interval '1 day' FROM generate_series(1, ${GRANTS}) n`,
    [organizationId, userId, id],
  );
  await client.query(
    `INSERT INTO "OauthToken" ("id", "organizationId", "kind", "hash", "applicationId", "clientId",
       "userId", "grantId", "audience", "scopes", "payload", "createdAt", "expiresAt")
     SELECT md5('t' || n)::uuid, $1, 'access', sha256(n::text::bytea), $3::uuid, $3::uuid::text, $2,
       md5('g' || (n % ${GRANTS} + 1))::uuid, 'https://a.example', '{mcp}', '{}',
       now() - interval '1 day', now() - interval '1 hour'
     FROM generate_series(1, ${GRANTS * TOKENS_OF_EACH}) n`,
    [organizationId, userId, id],
  );
  await client.query('ANALYZE "Grant"');
  await client.query('ANALYZE "OauthToken"');
  await client.end();
}

async function lookUp() {
  while (!isDone) {
    const token = `gh_at_${randomBytes(32).toString('base64url')}`;
    const before = performance.now();
    await findCaller(db, 'https://gatehouse.example', token);
    lookUps.push(performance.now() - before);
    await new Promise((resolve) => setTimeout(resolve, LOOK_UP_EVERY));
  }
}
