import { describe, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { useMember, useStranger } from '../../support/users.ts';
import {
  createIntegration,
  openSession,
  problemOf,
  readIntegration,
  sessionState,
} from './support.ts';

const server = useServer();
const admin = useMember(server, 'admin');
const member = useMember(server, 'member');
const stranger = useStranger(server);

const patch = (id: string, body: unknown, options = {}) =>
  server.call('PATCH', `/integrations/${id}`, { body, ...options });
const archive = (id: string, options = {}) => server.call('DELETE', `/integrations/${id}`, options);
const restore = (id: string, options = {}) =>
  server.call('POST', `/integrations/${id}/restore`, options);

/** As after a validation that succeeded. */
async function markValid(id: string): Promise<void> {
  await server.store.db.integration.update({
    where: { id },
    data: {
      validationStatus: 'valid',
      validationMessage: 'Works.',
      lastValidatedAt: new Date('2026-01-02T03:04:05.678Z'),
      certificateExpiresAt: new Date('2027-01-02T03:04:05.678Z'),
    },
  });
}

describe('PATCH /integrations/:id', () => {
  it('requires a token', async () => {
    const { id } = await createIntegration(server);
    expect((await patch(id, {}, { token: null })).status).toBe(401);
  });

  it('is for admins and owners of the organization', async () => {
    const { id } = await createIntegration(server);
    expect((await patch(id, { name: 'Mine' }, { token: member.token })).status).toBe(403);
    expect((await patch(id, { name: 'Mine' }, { token: stranger.token })).status).toBe(404);
    expect((await patch(id, { name: 'Ours' }, { token: admin.token })).status).toBe(200);
  });

  it('changes the given fields only, and bumps the version', async () => {
    const before = await createIntegration(server, {
      capabilities: { tools: {} },
      credentialSchema: { properties: { token: { type: 'string' } } },
      oauth: { provider: 'example' },
    });
    const answer = await patch(before.id, { name: 'Renamed' });
    const { integration } = answer.body;
    expect(integration).toStrictEqual({
      ...before,
      name: 'Renamed',
      updatedAt: integration.updatedAt,
    });
    expect(Date.parse(integration.updatedAt)).toBeGreaterThanOrEqual(Date.parse(before.updatedAt));
    expect(answer.headers.get('etag')).toBe('"v2"');
    expect(await readIntegration(server, before.id)).toStrictEqual(integration);
  });

  it('takes no server token with white space, which no upstream could read', async () => {
    const { id } = await createIntegration(server, { authMode: 'server_token', serverToken: 't' });
    const refused = { status: 400, code: 'validation_failed', at: ['/serverToken'] };
    expect(problemOf(await patch(id, { serverToken: 'two words' }))).toMatchObject(refused);
    const body = { name: 'I', url: 'https://mcp.example.com', authMode: 'server_token' };
    const options = { body: { ...body, serverToken: 'two words' } };
    expect(problemOf(await server.call('POST', '/integrations', options))).toMatchObject(refused);
  });

  it('takes {} as no change', async () => {
    const before = await createIntegration(server);
    const answer = await patch(before.id, {});
    expect(answer.status).toBe(200);
    expect(answer.body.integration).toStrictEqual(before);
    expect(answer.headers.get('etag')).toBe('"v1"');
  });

  it('accepts what a read returned', async () => {
    const before = await createIntegration(server, {
      authMode: 'user_token',
      capabilities: { tools: true },
      oauth: { issuer: 'https://id.example.com' },
    });
    await markValid(before.id);
    const read = await readIntegration(server, before.id);
    const answer = await patch(before.id, { ...read, name: 'Renamed' });
    const { updatedAt } = answer.body.integration;
    expect(answer.body.integration).toStrictEqual({ ...read, name: 'Renamed', updatedAt });
  });

  it('clears optional fields by null, and refuses null elsewhere', async () => {
    const { id } = await createIntegration(server, {
      capabilities: { tools: true },
      credentialSchema: { properties: {} },
      oauth: { provider: 'example' },
      serverToken: 'shared',
    });
    const cleared = { capabilities: null, credentialSchema: null, oauth: null, serverToken: null };
    const answer = await patch(id, cleared);
    expect(answer.body.integration).toMatchObject({ serverTokenConfigured: false });
    for (const field of ['capabilities', 'credentialSchema', 'oauth']) {
      expect(answer.body.integration).not.toHaveProperty(field);
    }
    for (const field of ['name', 'url', 'category', 'authMode']) {
      expect(problemOf(await patch(id, { [field]: null }))).toStrictEqual({
        status: 400,
        code: 'validation_failed',
        at: [`/${field}`],
      });
    }
  });

  it('replaces objects whole, and an OAuth configuration without its hidden fields', async () => {
    const { id } = await createIntegration(server, {
      authMode: 'oauth',
      capabilities: { tools: 1 },
    });
    await server.call('PUT', `/integrations/${id}/oauth`, {
      body: {
        provider: 'example',
        issuer: 'https://id.example.com',
        scopes: ['read'],
        clientId: 'client',
      },
    });
    const answer = await patch(id, {
      capabilities: { prompts: 2 },
      oauth: { issuer: 'https://id.example.com' },
    });
    expect(answer.body.integration).toMatchObject({
      capabilities: { prompts: 2 },
      oauth: { issuer: 'https://id.example.com', scopes: [] },
    });
    expect(answer.body.integration.capabilities).not.toHaveProperty('tools');
    expect(answer.body.integration.oauth).not.toHaveProperty('provider');
    const { body } = await server.call('GET', `/integrations/${id}/oauth`);
    expect(body.oauth).toMatchObject({ clientId: 'client', scopes: [] });
  });

  it('needs a usable server token when the mode becomes server_token', async () => {
    const { id } = await createIntegration(server);
    const refused = await patch(id, { authMode: 'server_token' });
    expect(problemOf(refused)).toStrictEqual({
      status: 400,
      code: 'validation_failed',
      at: ['/serverToken'],
    });
    const given = await patch(id, { authMode: 'server_token', serverToken: 'shared' });
    expect(given.body.integration.serverTokenConfigured).toBe(true);
    expect((await patch(id, { authMode: 'none' })).body.integration.serverTokenConfigured).toBe(
      true,
    );
    expect((await patch(id, { authMode: 'server_token' })).status).toBe(200);
    expect(problemOf(await patch(id, { serverToken: null })).at).toStrictEqual(['/serverToken']);
  });

  it('changes the rest of a row that was stored with a schema that cannot send its server token', async () => {
    const { id } = await createIntegration(server, { authMode: 'server_token', serverToken: 'a' });
    const text = { type: 'string' };
    const credentialSchema = { properties: { a: text, b: text } };
    await server.store.db.integration.update({ where: { id }, data: { credentialSchema } });
    const body = { ...(await readIntegration(server, id)), name: 'Renamed', serverToken: 'b' };
    const renamed = await patch(id, body);
    expect(renamed.body.integration).toMatchObject({ name: 'Renamed', credentialSchema });
    const other = await patch(id, { credentialSchema: { properties: { b: text, c: text } } });
    expect(problemOf(other)).toStrictEqual({
      status: 400,
      code: 'validation_failed',
      at: ['/credentialSchema'],
    });
    expect((await patch(id, { credentialSchema: null })).status).toBe(200);
  });

  it('binds a server token to the origin it was entered for', async () => {
    const { id } = await createIntegration(server, { authMode: 'server_token', serverToken: 'a' });
    const path = await patch(id, { url: 'https://mcp.example.com/other' });
    expect(path.body.integration.serverTokenConfigured).toBe(true);
    const moved = await patch(id, { url: 'https://mcp.example.com:444/other' });
    expect(problemOf(moved)).toStrictEqual({
      status: 400,
      code: 'validation_failed',
      at: ['/serverToken'],
    });
    await patch(id, { authMode: 'none', url: 'https://elsewhere.example.com/' });
    expect((await readIntegration(server, id)).serverTokenConfigured).toBe(false);
    expect((await patch(id, { authMode: 'server_token' })).status).toBe(400);
    const back = await patch(id, { url: 'https://mcp.example.com/', authMode: 'server_token' });
    expect(back.body.integration.serverTokenConfigured).toBe(true);
    const both = await patch(id, { url: 'https://elsewhere.example.com/', serverToken: 'b' });
    expect(both.body.integration.serverTokenConfigured).toBe(true);
  });

  it('checks the egress policy for the merged url and category', async () => {
    const { id } = await createIntegration(server);
    expect(problemOf(await patch(id, { url: 'http://10.1.2.3/' }))).toStrictEqual({
      status: 400,
      code: 'egress_denied',
      at: ['/url'],
    });
    const brokered = { category: 'internal_mcp_credentials', url: 'http://10.1.2.3/' };
    expect((await patch(id, brokered)).status).toBe(200);
    const proxied = await patch(id, { category: 'gateway_remote_mcp' });
    expect(problemOf(proxied).code).toBe('egress_denied');
    expect((await readIntegration(server, id)).category).toBe('internal_mcp_credentials');
  });

  it('forgets the validation when url, mode, OAuth configuration or server token change', async () => {
    const { id } = await createIntegration(server, { oauth: { provider: 'example' } });
    const changes = [
      { url: 'https://mcp.example.com/new' },
      { authMode: 'user_token' },
      { oauth: { provider: 'other' } },
      { serverToken: 'shared' },
      { serverToken: null },
      { oauth: null },
    ];
    for (const body of changes) {
      await markValid(id);
      const { integration } = (await patch(id, body)).body;
      expect(integration.validationStatus, JSON.stringify(body)).toBe('pending');
      expect(integration).not.toHaveProperty('validationMessage');
      expect(integration).not.toHaveProperty('certificateExpiresAt');
      expect(integration.lastValidatedAt).toBe('2026-01-02T03:04:05.678Z');
    }
  });

  it('keeps the validation when nothing it tested changes', async () => {
    const { id, url } = await createIntegration(server, { oauth: { provider: 'example' } });
    await markValid(id);
    const changes = [
      { name: 'Renamed' },
      { capabilities: { tools: true } },
      { url, authMode: 'none' },
      { oauth: { provider: 'example', scopes: [] } },
      { serverToken: null },
    ];
    for (const body of changes) {
      const { integration } = (await patch(id, body)).body;
      expect(integration.validationStatus, JSON.stringify(body)).toBe('valid');
      expect(integration.validationMessage).toBe('Works.');
    }
  });

  it('lets If-Match win only for the present version', async () => {
    const { id } = await createIntegration(server);
    const tagged = (etag: string) => ({ headers: { 'if-match': etag } });
    expect((await patch(id, { name: 'a' }, tagged('"v1"'))).status).toBe(200);
    for (const stale of ['"v1"', 'W/"v2"', '"v1", "v3"']) {
      const answer = await patch(id, { name: 'b' }, tagged(stale));
      expect(problemOf(answer)).toMatchObject({ status: 412, code: 'precondition_failed' });
    }
    expect((await patch(id, { name: 'c' }, tagged('"v9", "v2"'))).status).toBe(200);
    expect((await patch(id, { name: 'd' }, tagged('*'))).headers.get('etag')).toBe('"v4"');
  });

  it('ends open sessions when the upstream or the mode changes, not for a new name', async () => {
    const { id } = await createIntegration(server);
    const session = await openSession(server, id);
    await patch(id, { name: 'Renamed' });
    expect(await sessionState(server, session)).toBe('open');
    await patch(id, { authMode: 'user_token' });
    expect(await sessionState(server, session)).toBe('revoked');
    const next = await openSession(server, id);
    await patch(id, { url: 'https://elsewhere.example.com/mcp' });
    expect(await sessionState(server, next)).toBe('revoked');
  });

  it('applies one change for one Idempotency-Key', async () => {
    const { id } = await createIntegration(server);
    const headers = { 'idempotency-key': 'patch-1' };
    const first = await patch(id, { name: 'Once' }, { headers });
    await patch(id, { name: 'Later' });
    const second = await patch(id, { name: 'Once' }, { headers });
    expect(second.body).toStrictEqual(first.body);
    expect((await readIntegration(server, id)).name).toBe('Later');
  });
});

describe('DELETE /integrations/:id', () => {
  it('requires a token', async () => {
    const { id } = await createIntegration(server);
    expect((await archive(id, { token: null })).status).toBe(401);
  });

  it('is for admins and owners of the organization', async () => {
    const { id } = await createIntegration(server);
    expect((await archive(id, { token: member.token })).status).toBe(403);
    expect((await archive(id, { token: stranger.token })).status).toBe(404);
    expect((await archive(id, { token: admin.token })).status).toBe(204);
  });

  it('archives once: the same again is 204 and changes nothing', async () => {
    const { id } = await createIntegration(server);
    const first = await archive(id);
    expect([first.status, first.text, first.headers.get('etag')]).toStrictEqual([204, '', '"v2"']);
    const archived = await readIntegration(server, id, member.token);
    expect(archived.archivedAt).toBe(archived.updatedAt);
    const second = await archive(id);
    expect([second.status, second.headers.get('etag')]).toStrictEqual([204, '"v2"']);
    expect(await readIntegration(server, id)).toStrictEqual(archived);
  });

  it('honours If-Match', async () => {
    const { id } = await createIntegration(server);
    expect((await archive(id, { headers: { 'if-match': '"v7"' } })).status).toBe(412);
    expect((await readIntegration(server, id)).archivedAt).toBeNull();
    expect((await archive(id, { headers: { 'if-match': '"v1"' } })).status).toBe(204);
  });

  it('ends open sessions', async () => {
    const { id } = await createIntegration(server);
    const session = await openSession(server, id);
    await archive(id);
    expect(await sessionState(server, session)).toBe('revoked');
  });

  it('refuses writes with 409 afterwards, after 412', async () => {
    const { id } = await createIntegration(server, { authMode: 'user_token' });
    await archive(id);
    const oauth = { provider: 'example', issuer: 'https://id.example.com', scopes: [] };
    const writes = [
      patch(id, { name: 'x' }),
      patch(id, {}),
      server.call('PUT', `/integrations/${id}/oauth`, { body: oauth }),
      server.call('POST', `/integrations/${id}/connection`, { body: { token: 'x' } }),
      server.call('POST', `/integrations/${id}/validate`),
    ];
    for (const answer of await Promise.all(writes)) {
      expect(problemOf(answer)).toMatchObject({ status: 409, code: 'archived' });
    }
    const stale = await patch(id, { name: 'x' }, { headers: { 'if-match': '"v1"' } });
    expect(stale.status).toBe(412);
    expect((await server.call('DELETE', `/integrations/${id}/oauth`)).status).toBe(204);
    expect((await server.call('DELETE', `/integrations/${id}/connection`)).status).toBe(204);
    expect((await server.call('GET', `/integrations/${id}/connection`)).status).toBe(200);
  });
});

describe('POST /integrations/:id/restore', () => {
  it('requires a token', async () => {
    const { id } = await createIntegration(server);
    expect((await restore(id, { token: null })).status).toBe(401);
  });

  it('is for admins and owners of the organization', async () => {
    const { id } = await createIntegration(server);
    expect((await restore(id, { token: member.token })).status).toBe(403);
    expect((await restore(id, { token: stranger.token })).status).toBe(404);
    expect((await restore(id, { token: admin.token })).status).toBe(200);
  });

  it('brings an archived integration back, and leaves an active one as it is', async () => {
    const before = await createIntegration(server, { name: 'back again' });
    await archive(before.id);
    const answer = await restore(before.id, { body: {} });
    expect(answer.status).toBe(200);
    const { updatedAt } = answer.body.integration;
    expect(answer.body.integration).toStrictEqual({ ...before, updatedAt });
    expect(answer.headers.get('etag')).toBe('"v3"');
    const again = await restore(before.id);
    expect(again.body).toStrictEqual(answer.body);
    expect(again.headers.get('etag')).toBe('"v3"');
    const list = await server.call('GET', '/integrations?name=back again');
    expect(list.body.items).toHaveLength(1);
  });

  it('leaves ended sessions ended', async () => {
    const { id } = await createIntegration(server);
    const session = await openSession(server, id);
    await archive(id);
    await restore(id);
    expect(await sessionState(server, session)).toBe('revoked');
  });
});
