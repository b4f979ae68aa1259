import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { useMember } from '../../support/users.ts';
import { createApplication, createIntegration } from '../applications/support.ts';

const server = useServer();
const admin = useMember(server, 'admin');
const member = useMember(server, 'member');
const NOWHERE = '00000000-0000-4000-8000-000000000000';
let application: string;
let path: string;

beforeAll(async () => {
  application = (await createApplication(server)).id;
});

beforeEach(async () => {
  path = `/integrations/${await createIntegration(server)}/policy`;
});

const put = (body: unknown, headers: Record<string, string> = {}) =>
  server.call('PUT', path, { body, headers, token: admin.token });
const read = async () => (await server.call('GET', path)).body.policy;

describe('the policy of an integration', () => {
  it('requires a token', async () => {
    for (const method of ['GET', 'PUT'] as const) {
      expect((await server.call(method, path, { token: null })).status).toBe(401);
    }
  });

  it('is for admins', async () => {
    const calls = [['GET'], ['PUT', {}]] as const;
    for (const [method, body] of calls) {
      const options = { token: member.token, ...(body === undefined ? {} : { body }) };
      expect((await server.call(method, path, options)).status).toBe(403);
    }
    expect((await put({})).status).toBe(200);
  });

  it('is empty at first, replaced as a whole, and cleared by null', async () => {
    expect(await read()).toEqual({});
    const rules = {
      tools: { deny: ['*_delete'] },
      perApplication: { [application]: { roles: ['admin'], resources: { allow: ['a:*'] } } },
    };
    const written = await put(rules);
    expect([written.body, written.headers.get('etag')]).toEqual([{ policy: rules }, '"v2"']);
    expect(await read()).toEqual(rules);
    expect((await put(rules)).headers.get('etag')).toBe('"v2"');
    const cleared = await put(null);
    expect([cleared.body, cleared.headers.get('etag')]).toEqual([{ policy: {} }, '"v3"']);
    expect(await read()).toEqual({});
  });

  it('is compared with If-Match, by the version of the integration', async () => {
    expect((await put({ roles: [] }, { 'If-Match': '"v9"' })).status).toBe(412);
    expect((await put({ roles: [] }, { 'If-Match': '"v1"' })).status).toBe(200);
  });

  it('keeps the result of the last validation', async () => {
    const [, , id] = path.split('/');
    await server.store.db.integration.update({
      where: { id: id ?? '' },
      data: { validationStatus: 'valid' },
    });
    await put({ roles: [] });
    const { body } = await server.call('GET', `/integrations/${id}`);
    expect(body.integration.validationStatus).toBe('valid');
  });

  it('does not change while archived', async () => {
    await server.call('DELETE', path.replace('/policy', ''));
    expect((await put({})).body.code).toBe('archived');
  });

  it('names each fault in the rules for an application', async () => {
    const refused = await put({
      perApplication: {
        [NOWHERE]: {},
        [application]: { groups: [NOWHERE], userIds: [member.id, NOWHERE] },
      },
    });
    expect([refused.status, refused.body.code]).toEqual([400, 'validation_failed']);
    expect(refused.body.errors).toEqual([
      {
        pointer: `/perApplication/${NOWHERE}`,
        code: 'not_found',
        message: 'There is no such application.',
      },
      {
        pointer: `/perApplication/${application}/groups/0`,
        code: 'not_found',
        message: 'There is no such group.',
      },
      {
        pointer: `/perApplication/${application}/userIds/1`,
        code: 'not_found',
        message: 'There is no such member.',
      },
    ]);
  });

  it('takes ids of applications in any case, each once', async () => {
    const upper = application.toUpperCase();
    await put({ perApplication: { [upper]: { roles: [] } } });
    expect(await read()).toEqual({ perApplication: { [application]: { roles: [] } } });
    const twice = await put({ perApplication: { [upper]: { roles: [] }, [application]: {} } });
    expect(twice.body.errors).toMatchObject([
      { pointer: '/perApplication', message: 'Must not have an application twice.' },
    ]);
  });

  it.each([
    [{ perApplication: { all: {} } }, '/perApplication/all'],
    [{ perApplication: { [NOWHERE]: { perApplication: {} } } }, '/perApplication'],
    [{ perApplication: [] }, '/perApplication'],
    [JSON.parse('{ "perApplication": { "__proto__": { "roles": [] } } }'), '/perApplication'],
    [
      { perApplication: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`${i}`, {}])) },
      '/perApplication',
    ],
  ])('refuses %j', async (body, pointer) => {
    const refused = await put(body);
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].pointer).toContain(pointer);
    expect(await read()).toEqual({});
  });
});
