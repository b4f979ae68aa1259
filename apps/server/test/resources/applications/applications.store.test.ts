import { describe, expect, it } from 'vitest';
import { meetAt } from '../../support/meet.ts';
import { useServer } from '../../support/server.ts';
import { useMember } from '../../support/users.ts';
import {
  addForeignRows,
  attach,
  createApplication,
  createIntegration,
  holdApplication,
  insertSession,
  redirectUris,
} from './support.ts';

const server = useServer();
const admin = useMember(server, 'admin');
const member = useMember(server, 'member');
const other = useMember(server, 'member');

const oauth = { type: 'confidential', redirectUris };

describe('POST /applications', () => {
  it('requires a token', async () => {
    const { status, headers } = await server.call('POST', '/applications', { token: null });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it.each(['owner', 'admin', 'member'] as const)('lets an %s create one', async (role) => {
    const tokens = { owner: server.owner, admin: admin.token, member: member.token };
    const { status } = await server.call('POST', '/applications', {
      token: tokens[role],
      body: { name: role, oauth },
    });
    expect(status).toBe(201);
  });

  it('answers the whole application, its place and its version', async () => {
    const { status, headers, body } = await server.call('POST', '/applications', {
      token: member.token,
      body: { name: '  Assistant ', oauth },
    });
    const { application } = body;
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${server.baseUrl}/applications/${application.id}`);
    expect(headers.get('etag')).toBe('"v1"');
    expect(application).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Assistant',
      ownerUserId: member.id,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: application.createdAt,
      archivedAt: null,
      canModify: true,
      activeSessionCount: 0,
      idleSessionCount: 0,
      liveSessionCount: 0,
      totalSessionCount: 0,
      firstCallAt: null,
      limits: null,
      aggregate: { mode: 'list', nameLength: 64 },
      mcpUrl: `${server.origin}/mcp/${application.id}`,
      mcpUrlTemplate: `${server.origin}/mcp/${application.id}/{integrationId}`,
      integrations: [],
      oauth: {
        type: 'confidential',
        redirectUris,
        pkceRequired: true,
        scopes: ['mcp'],
        allowedResources: [],
        allowDynamicClients: false,
        clientId: application.id,
        clientSecretConfigured: true,
      },
    });
  });

  it('shows the secret of a confidential client in the top-level oauth only', async () => {
    const { body } = await server.call('POST', '/applications', { body: { name: 'A', oauth } });
    expect(body.oauth.clientSecret).toMatch(/^gh_cs_[A-Za-z0-9_-]{43}$/);
    expect(body.application.oauth).not.toHaveProperty('clientSecret');
    const read = await server.call('GET', `/applications/${body.application.id}`);
    expect(read.text).not.toContain('gh_cs_');
  });

  it('gives a public client no secret', async () => {
    const { body } = await server.call('POST', '/applications', {
      body: { name: 'A', oauth: { type: 'public', redirectUris, pkceRequired: false } },
    });
    expect(body.oauth).toMatchObject({ clientSecretConfigured: false, pkceRequired: false });
    expect(body.oauth).not.toHaveProperty('clientSecret');
  });

  it.each([
    ['/name', { oauth }],
    ['/name', { name: ' ', oauth }],
    ['/name', { name: 'a\u0000b', oauth }],
    ['/oauth', { name: 'A' }],
    ['/oauth/type', { name: 'A', oauth: { redirectUris } }],
    ['/oauth/redirectUris', { name: 'A', oauth: { type: 'public', redirectUris: [] } }],
    ['/oauth/redirectUris/0', { name: 'A', oauth: { ...oauth, redirectUris: ['http://a.com/'] } }],
    ['/oauth/scopes/0', { name: 'A', oauth: { ...oauth, scopes: ['a b'] } }],
    ['/oauth/allowedResources/0', { name: 'A', oauth: { ...oauth, allowedResources: ['x'] } }],
  ])('refuses a wrong %s', async (pointer, body) => {
    const refused = await server.call('POST', '/applications', { body });
    expect(refused.status).toBe(400);
    expect(refused.body.code).toBe('validation_failed');
    expect(refused.body.errors[0].pointer).toBe(pointer);
  });

  it('refuses a field it does not know', async () => {
    const { status, body } = await server.call('POST', '/applications', {
      body: { name: 'A', oauth: { ...oauth, redirectUri: 'x' } },
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'unknown_field',
      errors: [{ pointer: '/oauth/redirectUri' }],
    });
  });
});

describe('GET /applications/:id', () => {
  it('requires a token', async () => {
    const { id } = await createApplication(server);
    expect((await server.call('GET', `/applications/${id}`, { token: null })).status).toBe(401);
  });

  it('shows one’s own application to a member, and that of another to admins and owners only', async () => {
    const { id } = await createApplication(server, { token: member.token });
    const path = `/applications/${id}`;
    expect((await server.call('GET', path, { token: member.token })).body.application.id).toBe(id);
    expect((await server.call('GET', path, { token: admin.token })).status).toBe(200);
    expect((await server.call('GET', path)).body.application.canModify).toBe(true);
    expect((await server.call('GET', path, { token: other.token })).status).toBe(404);
  });

  it('does not distinguish a foreign application from one that never existed', async () => {
    const { applicationId } = await addForeignRows(server);
    const foreign = await server.call('GET', `/applications/${applicationId}`);
    const never = await server.call('GET', '/applications/00000000-0000-4000-8000-000000000000');
    expect(foreign.status).toBe(404);
    expect({ ...foreign.body, instance: '', requestId: '' }).toEqual({
      ...never.body,
      instance: '',
      requestId: '',
    });
  });

  it('accepts an id in upper case and refuses one that is no UUID', async () => {
    const { id } = await createApplication(server);
    expect((await server.call('GET', `/applications/${id.toUpperCase()}`)).status).toBe(200);
    expect((await server.call('GET', '/applications/42')).status).toBe(400);
  });

  it('lists the attached integrations in the order of attaching, with their MCP URLs', async () => {
    const { id } = await createApplication(server);
    const proxied = await createIntegration(server, { name: 'Proxied' });
    const internal = await createIntegration(server, {
      name: 'Internal',
      category: 'internal_mcp_credentials',
      authMode: 'user_token',
    });
    await attach(server, id, internal);
    await attach(server, id, proxied);
    const { body } = await server.call('GET', `/applications/${id}`);
    const attachedAt = expect.stringMatching(/Z$/);
    expect(body.application.integrations).toEqual([
      {
        id: internal,
        name: 'Internal',
        category: 'internal_mcp_credentials',
        authMode: 'user_token',
        validationStatus: 'pending',
        archivedAt: null,
        attachedAt,
        alias: 'internal',
        mcpUrl: null,
      },
      {
        id: proxied,
        name: 'Proxied',
        category: 'gateway_remote_mcp',
        authMode: 'none',
        validationStatus: 'pending',
        archivedAt: null,
        attachedAt,
        alias: 'proxied',
        mcpUrl: `${server.origin}/mcp/${id}/${proxied}`,
      },
    ]);
  });

  it('counts active, idle and all sessions', async () => {
    const { id } = await createApplication(server);
    const integrationId = await createIntegration(server);
    await attach(server, id, integrationId);
    await insertSession(server, id, integrationId);
    await insertSession(server, id, integrationId);
    await insertSession(server, id, integrationId, { silentFor: 10 * 60_000 });
    await insertSession(server, id, integrationId, { silentFor: 25 * 60 * 60_000 });
    const { body } = await server.call('GET', `/applications/${id}`);
    expect(body.application).toMatchObject({
      activeSessionCount: 2,
      idleSessionCount: 1,
      liveSessionCount: 0,
      totalSessionCount: 4,
    });
  });
});

describe('PATCH /applications/:id', () => {
  it('requires a token', async () => {
    const { id } = await createApplication(server);
    expect((await server.call('PATCH', `/applications/${id}`, { token: null })).status).toBe(401);
  });

  it('is for the owner of the application and for admins', async () => {
    const { id } = await createApplication(server, { token: member.token });
    const patch = (token: string) =>
      server.call('PATCH', `/applications/${id}`, { token, body: { name: 'B' } });
    expect((await patch(other.token)).status).toBe(404);
    expect((await patch(member.token)).status).toBe(200);
    expect((await patch(admin.token)).status).toBe(200);
  });

  it('changes the name, and moves version and updatedAt on', async () => {
    const before = await createApplication(server);
    const { status, headers, body } = await server.call('PATCH', `/applications/${before.id}`, {
      body: { name: 'Renamed' },
    });
    expect(status).toBe(200);
    expect(headers.get('etag')).toBe('"v2"');
    expect(body.application.name).toBe('Renamed');
    expect(body.application.updatedAt >= before.updatedAt).toBe(true);
    const read = await server.call('GET', `/applications/${before.id}`);
    expect(read.body).toEqual(body);
    expect(read.headers.get('etag')).toBe('"v2"');
  });

  it('accepts what a read returned, and leaves the version when nothing changes', async () => {
    const { id } = await createApplication(server);
    const read = await server.call('GET', `/applications/${id}`);
    for (const body of [read.body.application, {}]) {
      const patched = await server.call('PATCH', `/applications/${id}`, { body });
      expect(patched.status).toBe(200);
      expect(patched.headers.get('etag')).toBe('"v1"');
      expect(patched.body).toEqual(read.body);
    }
  });

  it('refuses null as name and fields that are not its own', async () => {
    const { id } = await createApplication(server);
    const refused = await server.call('PATCH', `/applications/${id}`, { body: { name: null } });
    expect(refused.body).toMatchObject({ status: 400, errors: [{ pointer: '/name' }] });
    const unknown = await server.call('PATCH', `/applications/${id}`, { body: { title: 'B' } });
    expect(unknown.body.code).toBe('unknown_field');
  });

  it('refuses a version that is not the present one', async () => {
    const { id } = await createApplication(server);
    const patch = (tag: string) =>
      server.call('PATCH', `/applications/${id}`, {
        body: { name: `for ${tag}` },
        headers: { 'if-match': tag },
      });
    expect((await patch('"v7"')).status).toBe(412);
    expect((await patch('"v1"')).status).toBe(200);
    expect((await patch('"v1"')).status).toBe(412);
  });

  it('lets one of several changes of the same version win', async () => {
    const { id } = await createApplication(server);
    const calls = ['B', 'C', 'D', 'E'].map((name) => () => {
      const headers = { 'if-match': '"v1"' };
      return server.call('PATCH', `/applications/${id}`, { body: { name }, headers });
    });
    const answers = await meetAt(server, holdApplication(id), calls);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
  });
});

describe('DELETE /applications/:id and POST /applications/:id/restore', () => {
  it('require a token', async () => {
    const { id } = await createApplication(server);
    const path = `/applications/${id}`;
    expect((await server.call('DELETE', path, { token: null })).status).toBe(401);
    expect((await server.call('POST', `${path}/restore`, { token: null })).status).toBe(401);
  });

  it('are for the owner of the application and for admins', async () => {
    const { id } = await createApplication(server, { token: member.token });
    const path = `/applications/${id}`;
    expect((await server.call('DELETE', path, { token: other.token })).status).toBe(404);
    expect((await server.call('DELETE', path, { token: member.token })).status).toBe(204);
    const restore = (token: string) => server.call('POST', `${path}/restore`, { token });
    expect((await restore(other.token)).status).toBe(404);
    expect((await restore(admin.token)).status).toBe(200);
  });

  it('archive without a body, once; the row stays readable', async () => {
    const { id } = await createApplication(server);
    const archived = await server.call('DELETE', `/applications/${id}`);
    expect(archived.status).toBe(204);
    expect(archived.text).toBe('');
    const first = (await server.call('GET', `/applications/${id}`)).body.application;
    expect(first).toMatchObject({ canModify: false, mcpUrlTemplate: null });
    expect(first.archivedAt).toMatch(/Z$/);
    expect((await server.call('DELETE', `/applications/${id}`)).status).toBe(204);
    const second = await server.call('GET', `/applications/${id}`);
    expect(second.body.application).toEqual(first);
    expect(second.headers.get('etag')).toBe('"v2"');
  });

  it('revoke every open session, which a restore does not bring back', async () => {
    const { id } = await createApplication(server);
    const integrationId = await createIntegration(server);
    await attach(server, id, integrationId);
    const sessionId = await insertSession(server, id, integrationId);
    await server.call('DELETE', `/applications/${id}`);
    const { body } = await server.call('POST', `/applications/${id}/restore`);
    expect(body.application).toMatchObject({
      archivedAt: null,
      canModify: true,
      activeSessionCount: 0,
      idleSessionCount: 0,
      totalSessionCount: 1,
      integrations: [{ id: integrationId }],
    });
    const session = await server.store.db.session.findUnique({ where: { id: sessionId } });
    expect(session?.state).toBe('revoked');
  });

  it('leave an active application as it is on restore', async () => {
    const { id } = await createApplication(server);
    const { status, headers } = await server.call('POST', `/applications/${id}/restore`);
    expect(status).toBe(200);
    expect(headers.get('etag')).toBe('"v1"');
  });

  it('refuse a version that is not the present one, archived or not', async () => {
    const { id } = await createApplication(server);
    const archive = (tag: string) =>
      server.call('DELETE', `/applications/${id}`, { headers: { 'if-match': tag } });
    expect((await archive('"v2"')).status).toBe(412);
    expect((await archive('"v1"')).status).toBe(204);
    expect((await archive('"v1"')).status).toBe(412);
  });

  it('leave an archived application that refuses every other write', async () => {
    const { id } = await createApplication(server);
    const integrationId = await createIntegration(server);
    await attach(server, id, integrationId);
    await server.call('DELETE', `/applications/${id}`);
    const path = `/applications/${id}`;
    const writes: [string, string, unknown?][] = [
      ['PATCH', path, { name: 'B' }],
      ['PATCH', `${path}/oauth`, { scopes: [] }],
      ['POST', `${path}/rotate-secret`],
      ['PUT', `${path}/integrations`, { integrationIds: [] }],
      ['POST', `${path}/integrations/${integrationId}`],
      ['DELETE', `${path}/integrations/${integrationId}`],
    ];
    for (const [method, target, body] of writes) {
      const refused = await server.call(method, target, { body });
      expect([method, target, refused.status, refused.body?.code]).toEqual([
        method,
        target,
        409,
        'archived',
      ]);
    }
  });
});
