import { describe, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';

const server = useServer();
const db = () => server.store.db;
const etagOf = ({ headers }: { headers: Headers }) => headers.get('etag');

let count = 0;
async function addGroup(more: object = {}): Promise<string> {
  count += 1;
  const { status, body } = await server.call('POST', '/groups', {
    body: { name: `Group ${count}`, ...more },
  });
  expect(status).toBe(201);
  return body.group.id;
}

const organizationId = async () => (await server.call('GET', '/me')).body.organization.id;

/** An integration attached to an application. */
async function attach() {
  const post = async (path: string, body?: object) =>
    (await server.call('POST', path, { body })).body;
  const { id: integrationId } = (
    await post('/integrations', { name: 'I', url: 'https://a.example' })
  ).integration;
  const oauth = { type: 'public', redirectUris: ['https://a.example/cb'] };
  const { id: applicationId } = (await post('/applications', { name: 'A', oauth })).application;
  await post(`/applications/${applicationId}/integrations/${integrationId}`);
  const where = { applicationId_integrationId: { applicationId, integrationId } };
  const attachment = await db().attachment.findUniqueOrThrow({ where });
  return { integrationId, applicationId, attachmentId: attachment.id };
}

describe('POST /groups', () => {
  it('requires a token', async () => {
    expect((await server.call('POST', '/groups', { token: null, body: {} })).status).toBe(401);
  });

  it('answers the group, its address and its version', async () => {
    const created = await server.call('POST', '/groups', { body: { name: ' Support ' } });
    const { group } = created.body;
    expect(group).toMatchObject({ name: 'Support', externalId: null });
    expect(created.headers.get('location')).toBe(`${server.baseUrl}/groups/${group.id}`);
    const read = await server.call('GET', `/groups/${group.id}`);
    expect([read.body, etagOf(read)]).toEqual([{ group }, etagOf(created)]);
  });

  it.each([
    ['name', { name: 'taken', externalId: 'other' }],
    ['externalId', { name: 'Other', externalId: 'taken' }],
  ])('refuses another group with the %s, and says that it is that', async (field, body) => {
    const first = await server.call('POST', '/groups', {
      body: { name: 'TaKeN', externalId: 'taken' },
    });
    expect([201, 409]).toContain(first.status);
    const refused = await server.call('POST', '/groups', { body });
    expect(refused.body).toMatchObject({
      code: 'group_name_taken',
      errors: [{ pointer: `/${field}`, code: 'taken' }],
    });
  });

  it('compares external ids exactly', async () => {
    await addGroup({ externalId: 'exact' });
    await addGroup({ externalId: 'Exact' });
    await addGroup({ externalId: ' exact' });
  });

  it('lets two simultaneous requests make one group of a name', async () => {
    const create = (name: string) => server.call('POST', '/groups', { body: { name } });
    const created = await Promise.all(['both', 'BOTH', 'Both'].map(create));
    expect(created.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  it('refuses more than 1,000 groups', async () => {
    const organization = await organizationId();
    await db().$executeRaw`
      INSERT INTO "Group" ("id", "organizationId", "name", "nameKey", "createdAt", "updatedAt")
      SELECT gen_random_uuid(), ${organization}::uuid, 'G' || n, 'many' || n, now(), now()
      FROM generate_series(1, 1000 - (SELECT count(*)::int FROM "Group")) n`;
    const refused = await server.call('POST', '/groups', { body: { name: 'One more' } });
    expect(refused.body).toMatchObject({ status: 409, code: 'group_limit_reached' });
    await db().$executeRaw`DELETE FROM "Group" WHERE "nameKey" LIKE 'many%'`;
  });
});

describe('PATCH /groups/:id', () => {
  it('requires a token', async () => {
    const path = `/groups/${crypto.randomUUID()}`;
    expect((await server.call('PATCH', path, { token: null, body: {} })).status).toBe(401);
  });

  it('changes name and external id, and the version only if something changes', async () => {
    const id = await addGroup({ externalId: 'old' });
    const patch = (body: object, ifMatch = '*') =>
      server.call('PATCH', `/groups/${id}`, { body, headers: { 'If-Match': ifMatch } });
    const before = await server.call('GET', `/groups/${id}`);
    const same = await patch({ name: before.body.group.name });
    expect([same.body, etagOf(same)]).toEqual([before.body, etagOf(before)]);
    const changed = await patch({ name: before.body.group.name.toUpperCase(), externalId: null });
    expect(changed.body.group).toMatchObject({ externalId: null });
    expect(etagOf(changed)).not.toBe(etagOf(before));
    const stale = await patch({ name: 'Stale' }, etagOf(before) ?? '');
    expect(stale.body.code).toBe('precondition_failed');
  });

  it('refuses the name of another group', async () => {
    const [id] = [await addGroup(), await addGroup({ name: 'Theirs' })];
    const refused = await server.call('PATCH', `/groups/${id}`, { body: { name: 'THEIRS' } });
    expect(refused.body.code).toBe('group_name_taken');
  });
});

describe('DELETE /groups/:id', () => {
  it('requires a token', async () => {
    const path = `/groups/${crypto.randomUUID()}`;
    expect((await server.call('DELETE', path, { token: null })).status).toBe(401);
  });

  it('deletes the group with its memberships, and leaves the members', async () => {
    const [id, member] = [await addGroup(), await server.addMember('member')];
    await server.call('PUT', `/groups/${id}/members/${member.id}`);
    expect((await server.call('DELETE', `/groups/${id}`)).status).toBe(204);
    expect((await server.call('DELETE', `/groups/${id}`)).status).toBe(404);
    expect(await db().groupMember.count({ where: { groupId: id } })).toBe(0);
    expect((await server.call('GET', '/me', { token: member.token })).status).toBe(200);
  });

  it('refuses an earlier version', async () => {
    const id = await addGroup();
    const headers = { 'If-Match': '"v7"' };
    expect((await server.call('DELETE', `/groups/${id}`, { headers })).status).toBe(412);
  });

  it('is refused while a policy names the group, and says which', async () => {
    const id = await addGroup();
    const { integrationId, applicationId, attachmentId } = await attach();
    const policy = { organizationId: await organizationId(), rules: {}, groupIds: [id] };
    await db().integrationPolicy.create({ data: { ...policy, integrationId } });
    await db().attachmentPolicy.create({ data: { ...policy, attachmentId } });
    const refused = await server.call('DELETE', `/groups/${id}`);
    const paths = [
      `/integrations/${integrationId}/policy`,
      `/applications/${applicationId}/integrations/${integrationId}/policy`,
    ];
    expect(refused.body).toMatchObject({
      code: 'group_in_use',
      errors: [
        { code: 'integration_policy', message: `The policy at ${paths[0]} names the group.` },
        { code: 'attachment_policy', message: `The policy at ${paths[1]} names the group.` },
      ],
    });
    const { body } = await server.call('GET', `/groups/${id}/policies`);
    expect(body).toEqual({
      policies: [
        { integrationId, applicationId: null, integrationName: 'I', applicationName: null },
        { integrationId, applicationId, integrationName: 'I', applicationName: 'A' },
      ],
      truncated: false,
    });
    await db().integrationPolicy.deleteMany();
    await db().attachmentPolicy.update({ where: { attachmentId }, data: { groupIds: [] } });
    expect((await server.call('DELETE', `/groups/${id}`)).status).toBe(204);
  });
});
