// Express and Prisma alone: node rest-baseline.mjs <port> <database url>. It finds the caller as Gatehouse
// does and makes the same SQL statements, but checks, logs and validates nothing.
import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import express from 'express';
import pg from 'pg';
import { Prisma, PrismaClient } from '../../apps/server/src/generated/prisma/client.ts';
import { oneRangeOf } from '../../apps/server/src/platform/database/index-range.ts';
import { createId } from '../../apps/server/src/platform/ids.ts';

const [port, connectionString] = process.argv.slice(2);
const pool = new pg.Pool({
  connectionString,
  max: 10,
  application_name: 'baseline',
  onConnect: async (client) => {
    await client.query("SET TIME ZONE 'UTC'");
  },
});
const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
const callers = new Map();

const app = express();
app.disable('x-powered-by');
app.set('etag', false);

app.get('/readyz', (_req, res) => res.json({ status: 'ready' }));

app.use(async (req, res, next) => {
  const token = req.headers.authorization?.slice('Bearer '.length) ?? '';
  const hash = createHash('sha256').update(token).digest();
  const key = hash.toString('base64');
  const caller = callers.get(key) ?? (await findCaller(hash));
  if (caller === undefined) return res.status(401).end();
  callers.set(key, caller);
  res.locals.caller = caller;
  next();
});

app.get('/api/v1/integrations/:id', async (req, res) => {
  const { organizationId, userId } = res.locals.caller;
  const row = await prisma.integration.findFirst({
    where: { id: req.params.id, organizationId },
    include: seenBy(userId),
  });
  if (row === null) return res.status(404).end();
  res.json({ integration: present(row) });
});

app.get('/api/v1/integrations', async (req, res) => {
  const { organizationId, userId } = res.locals.caller;
  const limit = Number(req.query.limit);
  const rows = await prisma.integration.findMany({
    where: { organizationId: oneRangeOf(organizationId), archivedAt: null },
    include: seenBy(userId),
    orderBy: [{ organizationId: 'asc' }, { id: 'desc' }],
    take: limit + 1,
  });
  const nextCursor = rows.length > limit ? rows[limit - 1].id : null;
  res.json({ items: rows.slice(0, limit).map(present), nextCursor });
});

app.post('/api/v1/integrations', express.json(), async (req, res) => {
  const { organizationId } = res.locals.caller;
  const { name, url } = req.body;
  const { id, createdAt } = createId();
  const nulls = {
    oauth: Prisma.DbNull,
    capabilities: Prisma.DbNull,
    credentialSchema: Prisma.DbNull,
  };
  const row = await prisma.$transaction((db) =>
    db.integration.create({
      data: {
        id,
        organizationId,
        createdAt,
        updatedAt: createdAt,
        name,
        url,
        category: 'gateway_remote_mcp',
        authMode: 'none',
        ...nulls,
      },
    }),
  );
  res.location(`/api/v1/integrations/${id}`).status(201);
  res.json({ integration: present({ ...row, secrets: [] }) });
});

app.listen(Number(port), '127.0.0.1').keepAliveTimeout = 0;

async function findCaller(hash) {
  const [row] = await prisma.$queryRaw`
    SELECT t."id", t."organizationId", t."userId", u."role"::text AS "role"
    FROM "Token" t JOIN "User" u ON u."id" = t."userId"
    WHERE t."hash" = ${hash} AND (t."expiresAt" IS NULL OR t."expiresAt" > now())`;
  return row;
}

function seenBy(userId) {
  return {
    secrets: { select: { kind: true, destination: true } },
    connections: {
      where: { userId },
      select: { mode: true, destination: true, reason: true, displayName: true, expiresAt: true },
    },
  };
}

function present({ id, name, url, category, authMode, secrets, validationStatus, ...row }) {
  return {
    id,
    name,
    url,
    category,
    authMode,
    serverTokenConfigured: secrets.length > 0,
    validationStatus,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    archivedAt: row.archivedAt,
  };
}

process.once('SIGTERM', () => process.exit());
