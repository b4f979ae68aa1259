import { beforeAll, describe, expect, it } from 'vitest';
import { createId } from '../../../src/platform/ids.ts';
import { addOrganization } from '../../support/organization.ts';
import { useServer } from '../../support/server.ts';
import { useMember } from '../../support/users.ts';
import { attach, createApplication, createIntegration } from './support.ts';

const server = useServer();
const admin = useMember(server, 'admin');
const member = useMember(server, 'member');
const other = useMember(server, 'member');
const NOWHERE = '00000000-0000-4000-8000-000000000000';
let integration: string;

beforeAll(async () => {
  integration = await createIntegration(server);
});

/** An application of the member with the integration attached, at version 2; the path of its policy. */
async function attached() {
  const { id } = await createApplication(server, { token: member.token });
  await attach(server, id, integration, member.token);
  return { id, path: `/applications/${id}/integrations/${integration}/policy` };
}

const put = (path: string, body: unknown, options: { token?: string; ifMatch?: string } = {}) =>
  server.call('PUT', path, {
    body,
    token: options.token ?? server.owner,
    headers: options.ifMatch === undefined ? {} : { 'If-Match': options.ifMatch },
  });

const get = (path: string) => server.call('GET', path, { token: server.owner });

async function addGroup(memberIds: readonly string[] = []): Promise<string> {
  const { db } = server.store;
  const { organizationId } = await db.user.findFirstOrThrow({ where: { id: member.id } });
  const { id, createdAt } = createId();
  const dates = { createdAt, updatedAt: createdAt };
  await db.group.create({ data: { id, ...dates, organizationId, name: id, nameKey: id } });
  const data = memberIds.map((userId) => ({ groupId: id, userId, createdAt }));
  await db.groupMember.createMany({ data });
  return id;
}

describe('the policy of an attachment', () => {
  it('requires a token', async () => {
    const { path } = await attached();
    for (const method of ['GET', 'PUT'] as const) {
      expect((await server.call(method, path, { token: null })).status).toBe(401);
    }
  });

  it('is for the owner of the application and for admins', async () => {
    const { path } = await attached();
    for (const [token, status] of [
      [member.token, 200],
      [admin.token, 200],
      [other.token, 404],
    ] as const) {
      expect((await server.call('GET', path, { token })).status).toBe(status);
      expect((await put(path, {}, { token })).status).toBe(status);
    }
  });

  it('is empty at first, and replaced as a whole', async () => {
    const { path } = await attached();
    const first = await get(path);
    expect([first.body, first.headers.get('etag')]).toEqual([{ policy: {} }, '"v2"']);
    const rules = { roles: ['admin'], tools: { allow: ['read_*', '*'], deny: [] } };
    const written = await put(path, rules);
    expect([written.status, written.body, written.headers.get('etag')]).toEqual([
      200,
      { policy: rules },
      '"v3"',
    ]);
    expect((await get(path)).body).toEqual({ policy: rules });
    await put(path, { prompts: { allow: [] } });
    expect((await get(path)).body).toEqual({ policy: { prompts: { allow: [] } } });
  });

  it.each([[null], [{}]])('is cleared by %j', async (body) => {
    const { path } = await attached();
    await put(path, { userIds: [] });
    const cleared = await put(path, body);
    expect([cleared.body, cleared.headers.get('etag')]).toEqual([{ policy: {} }, '"v4"']);
    expect((await get(path)).body).toEqual({ policy: {} });
  });

  it('moves no ETag where nothing changes, whatever the order of fields', async () => {
    const { path } = await attached();
    const tools = { deny: ['b', 'a'], allow: ['*'] };
    await put(path, { tools, roles: ['admin', 'owner'] });
    const same = await put(path, { roles: ['admin', 'owner'], tools: { ...tools } });
    expect(same.headers.get('etag')).toBe('"v3"');
    expect((await put(path, { tools })).headers.get('etag')).toBe('"v4"');
  });

  it('is compared with If-Match, by the version of the application', async () => {
    const { path, id } = await attached();
    expect((await put(path, { roles: [] }, { ifMatch: '"v1"' })).status).toBe(412);
    const written = await put(path, { roles: [] }, { ifMatch: '"v2"' });
    expect(written.status).toBe(200);
    const application = await server.call('GET', `/applications/${id}`);
    expect(application.headers.get('etag')).toBe(written.headers.get('etag'));
  });

  it('is deleted by detaching', async () => {
    const { path, id } = await attached();
    await put(path, { userIds: [] });
    await server.call('DELETE', `/applications/${id}/integrations/${integration}`);
    for (const { status, body } of [await get(path), await put(path, {})]) {
      expect([status, body.detail]).toEqual([
        404,
        'The integration is not attached to the application.',
      ]);
    }
    await attach(server, id, integration);
    expect((await get(path)).body).toEqual({ policy: {} });
  });

  it('does not change in an archived application', async () => {
    const { path, id } = await attached();
    await server.call('DELETE', `/applications/${id}`);
    expect((await put(path, {})).body.code).toBe('archived');
    expect((await get(path)).status).toBe(200);
  });

  it('names no user and no group that the organization does not have', async () => {
    const { path } = await attached();
    await addOrganization(server.store);
    const foreign = await server.store.db.user.findFirstOrThrow({
      where: { email: 'owner@other.example' },
    });
    const group = await addGroup();
    const body = { groups: [group, NOWHERE], userIds: [other.id, foreign.id, NOWHERE] };
    const refused = await put(path, body);
    expect([refused.status, refused.body.code]).toEqual([400, 'validation_failed']);
    expect(refused.body.errors).toEqual([
      { pointer: '/groups/1', code: 'not_found', message: 'There is no such group.' },
      { pointer: '/userIds/1', code: 'not_found', message: 'There is no such member.' },
      { pointer: '/userIds/2', code: 'not_found', message: 'There is no such member.' },
    ]);
    expect((await put(path, { groups: [group], userIds: [other.id] })).status).toBe(200);
  });

  it('keeps who has left, and takes nobody else for them', async () => {
    const { path } = await attached();
    const leaver = await server.addMember('member');
    await put(path, { userIds: [leaver.id] });
    await server.call('DELETE', `/members/${leaver.id}`);
    expect((await put(path, { userIds: [leaver.id], roles: [] })).status).toBe(200);
    await put(path, { userIds: [] });
    expect((await put(path, { userIds: [leaver.id] })).status).toBe(400);
  });

  it('lets a member name themselves, their own groups, and what stands there already', async () => {
    const { path } = await attached();
    const [own, foreign] = [await addGroup([member.id, other.id]), await addGroup([other.id])];
    const asMember = (body: unknown) => put(path, body, { token: member.token });
    expect((await asMember({ groups: [own], userIds: [member.id] })).status).toBe(200);
    const refused = await asMember({ groups: [foreign, NOWHERE], userIds: [other.id, NOWHERE] });
    const group = 'Must be one of your own groups.';
    const user = 'Must be you. Only admins and owners may name others.';
    expect(refused.body.errors.map((error: { message: string }) => error.message)).toEqual([
      group,
      group,
      user,
      user,
    ]);
    await put(path, { groups: [foreign], userIds: [other.id] });
    const kept = { groups: [foreign, own], userIds: [other.id], roles: ['admin'] };
    expect((await asMember(kept)).status).toBe(200);
  });

  it('notes the groups that it names', async () => {
    const { path } = await attached();
    const group = await addGroup();
    await put(path, { groups: [group, group] });
    const naming = { groupIds: { has: group } };
    expect(await server.store.db.attachmentPolicy.count({ where: naming })).toBe(1);
  });

  it.each([
    [{ limits: { perHour: 1 } }, 'unknown_field', '/limits/perHour'],
    [{ prompts: { readOnly: true } }, 'unknown_field', '/prompts/readOnly'],
    [{ tools: { readOnly: 'yes' } }, 'validation_failed', '/tools/readOnly'],
    [{ tools: { pinned: 'name' } }, 'validation_failed', '/tools/pinned'],
    [{ perApplication: {} }, 'unknown_field', '/perApplication'],
    [{ roles: ['guest'] }, 'validation_failed', '/roles/0'],
    [{ groups: 'all' }, 'validation_failed', '/groups'],
    [{ tools: { allow: [''] } }, 'validation_failed', '/tools/allow/0'],
    [{ tools: { allow: ['a'.repeat(129)] } }, 'validation_failed', '/tools/allow/0'],
    [{ tools: { deny: ['a\0'] } }, 'validation_failed', '/tools/deny/0'],
    [
      { prompts: { deny: Array.from({ length: 501 }, (_, i) => `${i}`) } },
      'validation_failed',
      '/prompts/deny',
    ],
    [{ resources: { allow: ['a'.repeat(2049)] } }, 'validation_failed', '/resources/allow/0'],
    ['{}', 'validation_failed', ''],
  ])('refuses %j', async (body, code, pointer) => {
    const { path } = await attached();
    const refused = await put(path, body);
    expect([refused.status, refused.body.code]).toEqual([400, code]);
    expect(refused.body.errors[0].pointer).toBe(pointer);
  });

  it('has room for the longest rules', async () => {
    const { path } = await attached();
    const patterns = Array.from({ length: 500 }, (_, i) => `${i}_${'x'.repeat(124)}`);
    const uris = Array.from({ length: 200 }, (_, i) => `${i}_${'x'.repeat(2044)}`);
    const names = { allow: patterns, deny: patterns };
    const rules = { tools: names, prompts: names, resources: { allow: uris } };
    expect((await put(path, rules)).body).toEqual({ policy: rules });
  });
});
