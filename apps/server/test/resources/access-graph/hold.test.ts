import { request } from 'node:http';
import { limits } from '@gatehouse/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../../src/platform/database/store.ts';
import { GraphReader } from '../../../src/resources/access-graph/what-if/graph.ts';
import { rulesAboutCalls } from '../../../src/resources/access-graph/what-if/graph-repository.ts';
import { startTestServer } from '../../support/server.ts';
import { openTestStore } from '../../support/store.ts';
import { use } from '../../support/use.ts';

/**
 * The longest turn of the event loop as a share of the CPU of the whole request, which does not depend on
 * how busy the machine is: 0.07, and 0.22 or more where rows are read, or the body written, in one piece.
 */
const BOUND = 0.12;

const ROUNDS = 3;

/** Those of an attachment. */
const RULES = {
  userIds: Array.from(
    { length: 20 },
    (_, n) => `0190a000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  ),
  tools: { allow: Array.from({ length: 50 }, (_, n) => `tool_${n}_*`) },
};

/** A busy machine takes longer for a hundred changes than a dry run may. */
const transactionLimits = { maxWait: 60_000, timeout: 60_000 };

const server = use(() =>
  startTestServer({}, () => openTestStore(undefined, { transactionLimits })),
);

beforeAll(async () => {
  const { db } = server.store;
  const { id: userId, organizationId } = await db.user.findFirstOrThrow();
  const rows = limits.accessGraphEdges;
  await db.$executeRaw`
    INSERT INTO "Application" ("id", "organizationId", "ownerUserId", "name", "clientType",
      "redirectUris", "scopes", "allowedResources", "createdAt", "updatedAt")
    SELECT md5('a' || n)::uuid, ${organizationId}::uuid, ${userId}::uuid, repeat('x', 100),
      'public', '{}', '{}', '{}', now(), now() FROM generate_series(1, 10) n`;
  await db.$executeRaw`
    INSERT INTO "Integration" ("id", "organizationId", "name", "url", "category", "authMode",
      "validationStatus", "createdAt", "updatedAt")
    SELECT md5('i' || n)::uuid, ${organizationId}::uuid, repeat('x', 100), 'https://a.example/',
      'internal_mcp_credentials', 'server_token', 'invalid', now(), now()
    FROM generate_series(1, ${rows}::int) n`;
  await db.$executeRaw`
    INSERT INTO "Attachment" ("id", "organizationId", "applicationId", "integrationId", "createdAt")
    SELECT md5('t' || n)::uuid, ${organizationId}::uuid, md5('a' || ((n - 1) / 500 + 1))::uuid,
      md5('i' || n)::uuid, now() FROM generate_series(1, ${rows}::int) n`;
  await db.$executeRaw`
    INSERT INTO "AttachmentPolicy" ("attachmentId", "organizationId", "rules")
    SELECT "id", "organizationId", ${JSON.stringify(RULES)}::jsonb FROM "Attachment"`;
});

it('at its limit, the access graph lets other requests have their turn', async () => {
  const holds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { share, text } = await longestTurn(() =>
      send('GET', '/applications/access-graph?includePolicy=true'),
    );
    holds.push(share);
    const graph = JSON.parse(text);
    for (const list of ['integrations', 'edges']) {
      expect(graph[list]).toHaveLength(limits.accessGraphEdges);
    }
    expect(graph.truncated).toBe(false);
    expect(graph.edges[0].policy.reasons).toHaveLength(4);
  }
  // The least of the rounds: the first includes the compilation of our code.
  expect(Math.min(...holds)).toBeLessThan(BOUND);
});

it('the rules of the attachments of an integration are found without reading all attachments', async () => {
  const { integrationId, organizationId } = await server.store.db.attachment.findFirstOrThrow();
  const scope = { applicationIds: new Set<string>(), integrationIds: new Set([integrationId]) };
  const read = await server.store.transaction(async ({ db }) => {
    const before = await rowsRead(db);
    const reader = new GraphReader(organizationId);
    expect(await reader.readEdges(db, rulesAboutCalls, scope)).toHaveProperty('size', 1);
    return (await rowsRead(db)) - before;
  });
  // One for the list of ids, one for its rules.
  expect(read).toBe(2);
});

describe('a what-if about rules of 100 integrations and 500 members', () => {
  beforeAll(async () => {
    const { db } = server.store;
    const { organizationId } = await db.user.findFirstOrThrow();
    await db.$executeRaw`
      INSERT INTO "User" ("id", "organizationId", "email", "name", "role", "createdAt")
      SELECT md5('u' || n)::uuid, ${organizationId}::uuid, n || '@example.com', 'n', 'member', now()
      FROM generate_series(1, 499) n`;
    await db.$executeRaw`
      UPDATE "Integration" SET "category" = 'gateway_remote_mcp', "authMode" = 'none',
        "validationStatus" = 'valid'`;
    await db.$executeRaw`
      UPDATE "AttachmentPolicy" SET "rules" = jsonb_set("rules", '{userIds}',
        jsonb_build_array(md5("attachmentId"::text)::uuid)) || '{"roles": ["member"]}'::jsonb`;
  });

  it('lets other requests have their turn', async () => {
    const policy = { roles: ['owner'] };
    const rows = await server.store.db.integration.findMany({ take: 100 });
    const changes = rows.map(({ id }) => {
      return { kind: 'integration_policy', integrationId: id, policy };
    });
    const holds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { share, text } = await longestTurn(() =>
        send('POST', '/applications/access-graph/what-if', { changes }),
      );
      holds.push(share);
      expect(JSON.parse(text)).toMatchObject({
        edges: { total: { lost: 100 } },
        people: { total: { lost: 49_900 } },
      });
    }
    expect(Math.min(...holds)).toBeLessThan(BOUND);
  });
});

/** Rows of attachments that statements have read so far. */
async function rowsRead(db: Db): Promise<number> {
  const [counts] = await db.$queryRaw<{ read: bigint }[]>`
    SELECT "seq_tup_read" + "idx_tup_fetch" AS "read" FROM pg_stat_xact_user_tables
    WHERE "relname" = 'Attachment'`;
  return Number(counts?.read);
}

/** The body as text: parsing it would hold the process, which is the server's too. */
function send(method: string, path: string, body?: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${server.owner}`,
      'content-type': 'application/json',
    };
    const call = request(`${server.baseUrl}${path}`, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks).toString()));
      response.on('error', reject);
    });
    call.on('error', reject);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function longestTurn(act: () => Promise<string>): Promise<{ share: number; text: string }> {
  let longest = 0;
  let before = process.cpuUsage();
  let isDone = false;
  const start = before;
  const turn = () => {
    longest = Math.max(longest, cpuSince(before));
    before = process.cpuUsage();
    if (!isDone) setImmediate(turn);
  };
  turn();
  const text = await act();
  isDone = true;
  return { share: longest / cpuSince(start), text };
}

/** Microseconds. */
function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
