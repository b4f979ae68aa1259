import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createId } from '../../../src/platform/ids.ts';
import { insertGrant } from '../../support/grants.ts';
import { addOrganization } from '../../support/organization.ts';
import { startTestServer } from '../../support/server.ts';
import { openTestStore } from '../../support/store.ts';
import { use } from '../../support/use.ts';
import { useMember } from '../../support/users.ts';
import {
  attach,
  createApplication,
  createIntegration,
  insertSession,
} from '../applications/support.ts';

/** A busy machine takes longer for a hundred changes than a dry run may. */
const transactionLimits = { maxWait: 60_000, timeout: 60_000 };

const server = use(() =>
  startTestServer({}, () => openTestStore(undefined, { transactionLimits })),
);
const admin = useMember(server, 'admin');
const member = useMember(server, 'member');
let applicationId: string;
let integrationId: string;

beforeAll(async () => {
  applicationId = (await createApplication(server)).id;
  integrationId = await createIntegration(server);
  await attach(server, applicationId, integrationId);
});

const whatIf = (changes: unknown, token = server.owner) =>
  server.call('POST', '/applications/access-graph/what-if', { token, body: { changes } });

/** Rows that the service's own jobs write. */
const JOBS = /^(?:Audit(?!Event)|Usage|Node$|_prisma)/;

async function rowsOfAllTables(): Promise<ReadonlyMap<string, unknown>> {
  const { db } = server.store;
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT tablename AS "name" FROM pg_tables WHERE schemaname = 'public'`;
  const rows = new Map<string, unknown>();
  for (const { name } of tables.filter((table) => !JOBS.test(table.name))) {
    // Tokens are marked as used, and a job puts events into blocks.
    const sql = `SELECT to_jsonb(t) - '{lastUsedAt,blockRun,blockNumber}'::text[] FROM "${name}" t ORDER BY 1`;
    rows.set(name, await db.$queryRawUnsafe(sql));
  }
  return rows;
}

async function connectByOauth(userId: string): Promise<void> {
  const { db } = server.store;
  const { organizationId } = await db.user.findUniqueOrThrow({ where: { id: userId } });
  const sealed = { sealed: Buffer.from('sealed'), keyId: 'key', destination: 'https://a.example' };
  const row = { ...createId(), organizationId, integrationId, userId, mode: 'oauth' } as const;
  await db.connection.create({ data: { ...row, ...sealed } });
}

describe('POST /applications/access-graph/what-if', () => {
  it('requires a token', async () => {
    const path = '/applications/access-graph/what-if';
    expect((await server.call('POST', path, { token: null })).status).toBe(401);
  });

  it('is for admins and owners', async () => {
    const changes = [{ kind: 'detach', applicationId, integrationId }];
    expect((await whatIf(changes, member.token)).status).toBe(403);
    expect((await whatIf(changes, admin.token)).status).toBe(200);
  });

  it('leaves every row as it is, and announces and records nothing', async () => {
    const { id: userId, token } = await server.addMember('member');
    const { id: grantId } = await insertGrant(server, applicationId, { userId });
    await insertSession(server, applicationId, integrationId, { grantId, userId });
    await connectByOauth(userId);
    const before = await rowsOfAllTables();
    const heard: unknown[] = [];
    const stops = [
      server.store.changes.subscribe({ react: (changes) => void heard.push(changes) }),
      server.store.subscribeToEvents((recorded) => void heard.push(recorded)),
    ];
    const { status, body } = await whatIf([
      { kind: 'integration_policy', integrationId, policy: { roles: ['owner'] } },
      { kind: 'archive', applicationId },
      { kind: 'restore', applicationId },
      { kind: 'detach', applicationId, integrationId },
      { kind: 'member', userId, removed: true },
      { kind: 'archive', integrationId },
    ]);
    for (const stop of stops) stop();
    expect([status, body.people.total.gained, body.people.total.lost]).toEqual([200, 0, 4]);
    expect(heard).toEqual([]);
    expect(await rowsOfAllTables()).toEqual(before);
    expect((await server.call('GET', '/me', { token })).status).toBe(200);
  });

  it('refuses what its operation would refuse, at its place', async () => {
    const detach = { kind: 'detach', applicationId, integrationId };
    const nowhere = randomUUID();
    const [{ id: owner } = { id: '' }] = await server.store.db.user.findMany({
      where: { role: 'owner' },
    });
    for (const [change, code, pointer = ''] of [
      [{ kind: 'attach', applicationId, integrationId: nowhere }, 'not_found'],
      [{ kind: 'attachment_policy', applicationId, integrationId, policy: {} }, 'not_found'],
      [{ kind: 'member', userId: nowhere }, 'not_found'],
      [{ kind: 'member', userId: member.id, groupIds: [nowhere] }, 'not_found'],
      [{ kind: 'member', userId: owner, role: 'admin' }, 'last_owner'],
      [
        { kind: 'integration_policy', integrationId, policy: { userIds: [member.id, nowhere] } },
        'not_found',
        '/policy/userIds/1',
      ],
    ] as const) {
      const { status, body } = await whatIf([detach, change]);
      const [error] = body.errors;
      expect([status, error.code, error.pointer]).toEqual([400, code, `/changes/1${pointer}`]);
    }
    const { body } = await whatIf([{ kind: 'member', userId: owner, role: 'admin' }], admin.token);
    expect(body.errors[0].code).toBe('forbidden');
  });

  it('refuses to change by hand who is in a group of the identity provider', async () => {
    const group = { name: randomUUID(), externalId: randomUUID() };
    const { body } = await server.call('POST', '/groups', { body: group });
    const change = { kind: 'member', userId: member.id, groupIds: [body.group.id] };
    expect((await whatIf([change])).body.errors[0].code).toBe('managed_by_provider');
  });

  it('takes one to 100 changes that are complete', async () => {
    const change = { kind: 'detach', applicationId, integrationId };
    for (const changes of [[], Array.from({ length: 101 }, (_, n) => ({ ...change, n }))]) {
      expect((await whatIf(changes)).status).toBe(400);
    }
    for (const wrong of [
      { kind: 'archive' },
      { kind: 'archive', applicationId, integrationId },
      { kind: 'member', userId: member.id, role: 'admin', removed: true },
      { kind: 'other', applicationId },
      { ...change, later: true },
    ]) {
      expect((await whatIf([wrong])).status).toBe(400);
    }
    expect((await whatIf(Array.from({ length: 100 }, () => change))).status).toBe(200);
  });

  it('finds what a member loses who was allowed by a group', async () => {
    const { id: userId } = await server.addMember('member');
    const { body } = await server.call('POST', '/groups', { body: { name: randomUUID() } });
    const groupId = body.group.id;
    await server.call('PUT', `/groups/${groupId}/members/${userId}`);
    const rules = { groups: [groupId] };
    await server.call('PUT', `/integrations/${integrationId}/policy`, { body: rules });
    const lost = [{ applicationId, integrationId, userId }];
    for (const change of [{ removed: true }, { groupIds: [] }]) {
      const answer = await whatIf([{ kind: 'member', userId, ...change }]);
      expect(answer.body.people.lost).toEqual(lost);
    }
    await server.call('PUT', `/integrations/${integrationId}/policy`, { body: {} });
  });

  it('knows what rules for a single application change', async () => {
    const other = (await createApplication(server)).id;
    await attach(server, other, integrationId);
    const perApplication = { [other]: { roles: ['owner', 'admin'] } };
    const change = { kind: 'integration_policy', integrationId, policy: { perApplication } };
    const { body } = await whatIf([change]);
    const members = await server.store.db.user.findMany({ where: { role: 'member' } });
    const lost = members.map(({ id }) => ({ applicationId: other, integrationId, userId: id }));
    expect(body.people.lost).toEqual(expect.arrayContaining(lost));
    expect(body.people.total).toEqual({ gained: 0, lost: lost.length });
  });

  it('names 1,000 of the tools that are lost, and counts all', async () => {
    const many = await createIntegration(server);
    await attach(server, applicationId, many);
    await server.store.db.$executeRaw`
      INSERT INTO "ToolDefinition" ("integrationId", "organizationId", "name", "fingerprint",
        "schemaFingerprint", "readOnly")
      SELECT "id", "organizationId", 'tool_' || n, 'f', 's', false
      FROM "Integration", generate_series(1, 1001) n WHERE "id" = ${many}::uuid`;
    const change = { kind: 'detach', applicationId, integrationId: many };
    const { tools } = (await whatIf([change])).body;
    expect(tools).toMatchObject({ total: { gained: 0, lost: 1001 }, truncated: true });
    expect(tools.lost).toHaveLength(1000);
  });

  it('makes the changes one after another for a single person, and refuses what waits beyond five', async () => {
    const change = { kind: 'detach', applicationId, integrationId };
    const asked = await Promise.all(Array.from({ length: 8 }, () => whatIf([change])));
    const statuses = asked.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 503, 503]);
  });

  it('is for an organization of at most 500 members, or about members alone', async () => {
    const token = await addOrganization(server.store);
    const { organizationId, id: userId } = await server.store.db.user.findFirstOrThrow({
      orderBy: { id: 'desc' },
    });
    await server.store.db.$executeRaw`
      INSERT INTO "User" ("id", "organizationId", "email", "name", "role", "createdAt")
      SELECT md5('m' || n)::uuid, ${organizationId}::uuid, n || '@example.com', 'n', 'member', now()
      FROM generate_series(1, 500) n`;
    const application = await server.call('POST', '/applications', {
      token,
      body: { name: 'Large', oauth: { type: 'public', redirectUris: ['http://127.0.0.1/'] } },
    });
    const archive = { kind: 'archive', applicationId: application.body.application.id };
    const member = { kind: 'member', userId, groupIds: [] };
    const refused = await whatIf([archive, member], token);
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [
        {
          pointer: '/changes',
          code: 'too_big',
          message: expect.stringContaining('500 members'),
        },
      ],
    ]);
    expect((await whatIf([member], token)).status).toBe(200);
  });

  it('shows nothing of another organization', async () => {
    const token = await addOrganization(server.store);
    const change = { kind: 'archive', applicationId };
    expect((await whatIf([change], token)).body.errors[0].code).toBe('not_found');
  });
});
