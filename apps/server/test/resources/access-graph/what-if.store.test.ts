import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { addOrganization } from '../../support/organization.ts';
import { useServer } from '../../support/server.ts';
import { useMember } from '../../support/users.ts';
import { attach, createApplication, createIntegration } from '../applications/support.ts';

const server = useServer();
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

  it('changes nothing', async () => {
    const tables = [
      'Application',
      'Integration',
      'Attachment',
      'AttachmentPolicy',
      'User',
    ] as const;
    const rows = async () =>
      Promise.all(
        [...tables, 'IntegrationPolicy', 'Group', 'GroupMember', 'Event'].map(async (table) => {
          const sql = `SELECT to_jsonb(t) FROM "${table}" t ORDER BY 1`;
          return server.store.db.$queryRawUnsafe(sql).catch(() => table);
        }),
      );
    const before = await rows();
    server.store.statements();
    const { status, body } = await whatIf([
      { kind: 'integration_policy', integrationId, policy: { roles: ['owner'] } },
      { kind: 'archive', applicationId },
      { kind: 'restore', applicationId },
      { kind: 'member', userId: member.id, removed: true },
    ]);
    expect(status).toBe(200);
    expect(body.people.total).toEqual({ gained: 0, lost: 2 });
    const writes = server.store
      .statements()
      .filter((sql) => /^\s*(?:INSERT|UPDATE|DELETE)/i.test(sql) && !sql.includes('"Token"'));
    expect(writes).toEqual([]);
    expect(await rows()).toEqual(before);
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

  it('shows nothing of another organization', async () => {
    const token = await addOrganization(server.store);
    const change = { kind: 'archive', applicationId };
    expect((await whatIf([change], token)).body.errors[0].code).toBe('not_found');
  });
});
