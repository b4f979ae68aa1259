import { randomUUID } from 'node:crypto';
import { oauthDestination } from '@gatehouse/contract';
import { describe, expect, it } from 'vitest';
import { createId } from '../../../src/platform/ids.ts';
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
const member = useMember(server, 'member');
const stranger = useStranger(server);

const required = { provider: 'example', issuer: 'https://id.example.com', scopes: ['read'] };
const get = (id: string, options = {}) => server.call('GET', `/integrations/${id}/oauth`, options);
const put = (id: string, body: unknown, options = {}) =>
  server.call('PUT', `/integrations/${id}/oauth`, { body, ...options });
const remove = (id: string, options = {}) =>
  server.call('DELETE', `/integrations/${id}/oauth`, options);

/** The owner's OAuth tokens, as a sign-in at the upstream would leave them. */
async function storeOauthTokens(integrationId: string, clientId?: string): Promise<void> {
  const { db } = server.store;
  const integration = await db.integration.findUniqueOrThrow({ where: { id: integrationId } });
  const me = await server.call('GET', '/me');
  await db.connection.create({
    data: {
      ...createId(),
      organizationId: integration.organizationId,
      integrationId,
      userId: me.body.user.id,
      mode: 'oauth',
      destination: oauthDestination({
        url: integration.url,
        oauthIssuer: required.issuer,
        oauthClientId: clientId,
      }),
      sealed: Buffer.from('sealed'),
      keyId: 'test',
      displayName: 'Ada',
      expiresAt: new Date('2100-01-01T00:00:00Z'),
    },
  });
}

for (const [title, call] of [
  ['GET', get],
  ['PUT', (id: string, options: object) => put(id, required, options)],
  ['DELETE', remove],
] as const) {
  describe(`${title} /integrations/:id/oauth`, () => {
    it('requires a token', async () => {
      const { id } = await createIntegration(server, { authMode: 'oauth' });
      expect((await call(id, { token: null })).status).toBe(401);
    });

    it('is for admins and owners of the organization', async () => {
      const { id } = await createIntegration(server, { authMode: 'oauth', oauth: required });
      expect((await call(id, { token: member.token })).status).toBe(403);
      expect((await call(id, { token: stranger.token })).status).toBe(404);
    });
  });
}

describe('GET /integrations/:id/oauth', () => {
  it('is 409 in another mode, then 404 without a configuration', async () => {
    const none = await createIntegration(server, { oauth: required });
    expect(problemOf(await get(none.id))).toMatchObject({
      status: 409,
      code: 'auth_mode_mismatch',
    });
    const empty = await createIntegration(server, { authMode: 'oauth' });
    await server.call('DELETE', `/integrations/${empty.id}/oauth`);
    expect(problemOf(await get(empty.id))).toMatchObject({
      status: 404,
      code: 'oauth_not_configured',
    });
  });

  it('shares the ETag of the integration', async () => {
    const { id } = await createIntegration(server, { authMode: 'oauth', oauth: { scopes: ['a'] } });
    const answer = await get(id);
    expect(answer.headers.get('etag')).toBe('"v1"');
    expect(answer.body).toStrictEqual({
      oauth: { scopes: ['a'], clientSecretConfigured: false, ...redirectUriAt(id) },
    });
    await server.call('PATCH', `/integrations/${id}`, { body: { name: 'x' } });
    expect((await get(id)).headers.get('etag')).toBe('"v2"');
  });
});

describe('PUT /integrations/:id/oauth', () => {
  it('stores every field and keeps the secret ones to itself', async () => {
    const { id } = await createIntegration(server, { authMode: 'oauth' });
    const visible = {
      ...required,
      clientId: 'client',
      tokenEndpointAuthMethod: 'client_secret_post',
      authorizationParams: { prompt: 'consent' },
      resource: 'https://mcp.example.com/mcp',
    };
    const answer = await put(id, {
      ...visible,
      clientSecret: 'client-secret-value',
      tokenParams: { audience: 'token-param-value' },
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual({
      oauth: {
        ...visible,
        clientSecretConfigured: true,
        tokenParamNames: ['audience'],
        ...redirectUriAt(id),
      },
    });
    const read = await get(id);
    expect(read.body).toStrictEqual(answer.body);
    expect(read.headers.get('etag')).toBe('"v2"');
    const { oauth } = await readIntegration(server, id, member.token);
    expect(oauth).toStrictEqual(required);
    const stored = await server.store.db.integrationSecret.findMany({
      where: { integrationId: id },
    });
    const row = await server.store.db.integration.findUniqueOrThrow({ where: { id } });
    const bytes = [JSON.stringify(row), ...stored.map(({ sealed }) => Buffer.from(sealed))];
    for (const secret of ['client-secret-value', 'token-param-value']) {
      expect(bytes.some((part) => part.includes(secret))).toBe(false);
      expect(answer.text + read.text).not.toContain(secret);
    }
  });

  it('works in any mode, and accepts what a read returned', async () => {
    const { id } = await createIntegration(server);
    const { oauth } = (await put(id, { ...required, clientSecret: 's' })).body;
    const again = await put(id, oauth);
    expect(again.body.oauth).toStrictEqual(oauth);
  });

  it('replaces everything that is not secret', async () => {
    const { id } = await createIntegration(server, { authMode: 'oauth' });
    await put(id, {
      ...required,
      resource: 'https://a.example.com/',
      authorizationParams: { a: 'b' },
    });
    const answer = await put(id, { ...required, provider: 'other' });
    expect(answer.body.oauth).toStrictEqual({
      ...required,
      provider: 'other',
      clientSecretConfigured: false,
      ...redirectUriAt(id),
    });
  });

  it('takes no redirect URI but the integration’s own', async () => {
    const { id } = await createIntegration(server, { authMode: 'oauth' });
    const client = { ...required, clientId: 'one' };
    expect((await put(id, { ...client, ...redirectUriAt(id) })).status).toBe(200);
    const shared = `${server.origin}/oauth/callback`;
    for (const redirectUri of [shared, `${shared}/${randomUUID()}`, 'https://other.example/']) {
      expect(problemOf(await put(id, { ...client, redirectUri }))).toStrictEqual({
        status: 400,
        code: 'validation_failed',
        at: ['/redirectUri'],
      });
    }
  });

  it('needs provider, issuer and scopes', async () => {
    const { id } = await createIntegration(server);
    expect(problemOf(await put(id, {}))).toStrictEqual({
      status: 400,
      code: 'validation_failed',
      at: ['/provider', '/issuer', '/scopes'],
    });
  });

  it('keeps the client secret while issuer and client id stay, and drops it when one changes', async () => {
    const { id } = await createIntegration(server, { authMode: 'oauth' });
    const client = { ...required, clientId: 'one' };
    const secrets = { clientSecret: 'secret', tokenParams: { audience: 'x' } };
    await put(id, { ...client, ...secrets });
    const kept = await put(id, { ...client, scopes: [] });
    expect(kept.body.oauth.clientSecretConfigured).toBe(true);
    expect(kept.body.oauth).not.toHaveProperty('tokenParamNames');
    const stored = await server.store.db.integrationSecret.findMany({
      where: { integrationId: id },
    });
    expect(stored.map(({ kind }) => kind)).toEqual(['oauth_client_secret']);
    const moved = await put(id, { ...client, clientId: 'two' });
    expect(moved.body.oauth.clientSecretConfigured).toBe(false);
    const back = await put(id, client);
    expect(back.body.oauth.clientSecretConfigured).toBe(false);
    await put(id, { ...client, ...secrets });
    const issuer = await put(id, { ...client, issuer: 'https://other.example.com' });
    expect(issuer.body.oauth.clientSecretConfigured).toBe(false);
  });

  it('removes a secret by null', async () => {
    const { id } = await createIntegration(server, { authMode: 'oauth' });
    await put(id, { ...required, clientSecret: 'secret', tokenParams: { audience: 'x' } });
    const answer = await put(id, { ...required, clientSecret: null, tokenParams: null });
    expect(answer.body.oauth).toStrictEqual({
      ...required,
      clientSecretConfigured: false,
      ...redirectUriAt(id),
    });
    const left = await server.store.db.integrationSecret.count({ where: { integrationId: id } });
    expect(left).toBe(0);
  });

  it('does not count secrets entered for another issuer, and counts them again when it returns', async () => {
    const { id } = await createIntegration(server, { authMode: 'oauth' });
    await put(id, { ...required, clientSecret: 'secret', tokenParams: { audience: 'x' } });
    const oauth = { ...required, issuer: 'https://other.example.com' };
    await server.call('PATCH', `/integrations/${id}`, { body: { oauth } });
    expect((await get(id)).body.oauth).toStrictEqual({
      ...oauth,
      clientSecretConfigured: false,
      ...redirectUriAt(id),
    });
    await server.call('PATCH', `/integrations/${id}`, { body: { oauth: required } });
    expect((await get(id)).body.oauth).toMatchObject({
      clientSecretConfigured: true,
      tokenParamNames: ['audience'],
    });
  });

  it('makes users of another issuer or client sign in again', async () => {
    const { id } = await createIntegration(server, { authMode: 'oauth', oauth: required });
    await storeOauthTokens(id);
    expect((await readIntegration(server, id)).userConnection).toStrictEqual({
      connected: true,
      status: 'connected',
      expiresAt: '2100-01-01T00:00:00.000Z',
      displayName: 'Ada',
    });
    await put(id, { ...required, clientId: 'client' });
    expect((await readIntegration(server, id)).userConnection).toStrictEqual({
      connected: false,
      status: 'disconnected',
      reason: 'needs_reauth',
    });
    await put(id, required);
    expect((await readIntegration(server, id)).userConnection?.connected).toBe(true);
  });

  it('forgets the validation only when something changes', async () => {
    const { id } = await createIntegration(server, { authMode: 'oauth' });
    await put(id, required);
    const validate = () =>
      server.store.db.integration.update({ where: { id }, data: { validationStatus: 'valid' } });
    await validate();
    await put(id, required);
    expect((await readIntegration(server, id)).validationStatus).toBe('valid');
    await put(id, { ...required, clientSecret: 'secret' });
    expect((await readIntegration(server, id)).validationStatus).toBe('pending');
    await validate();
    await put(id, { ...required, clientSecret: null });
    expect((await readIntegration(server, id)).validationStatus).toBe('pending');
  });

  it('honours If-Match', async () => {
    const { id } = await createIntegration(server);
    expect((await put(id, required, { headers: { 'if-match': '"v2"' } })).status).toBe(412);
    const answer = await put(id, required, { headers: { 'if-match': '"v1"' } });
    expect(answer.headers.get('etag')).toBe('"v2"');
  });
});

describe('DELETE /integrations/:id/oauth', () => {
  it('removes the configuration, its secrets and every user’s tokens, and keeps the mode', async () => {
    const { id } = await createIntegration(server, { authMode: 'oauth' });
    await put(id, { ...required, clientSecret: 'secret' });
    await storeOauthTokens(id);
    const session = await openSession(server, id);
    const answer = await remove(id);
    expect([answer.status, answer.headers.get('etag')]).toStrictEqual([204, '"v3"']);
    const integration = await readIntegration(server, id);
    expect(integration).toMatchObject({
      authMode: 'oauth',
      validationStatus: 'pending',
      userConnection: { connected: false, status: 'disconnected' },
    });
    expect(integration).not.toHaveProperty('oauth');
    const where = { integrationId: id };
    expect(await server.store.db.integrationSecret.count({ where })).toBe(0);
    expect(await server.store.db.connection.count({ where })).toBe(0);
    expect(await sessionState(server, session)).toBe('revoked');
  });

  it('leaves server tokens and users’ own tokens alone', async () => {
    const { id } = await createIntegration(server, {
      authMode: 'user_token',
      oauth: required,
      serverToken: 'shared',
    });
    await server.call('POST', `/integrations/${id}/connection`, { body: { token: 'mine' } });
    await remove(id);
    expect(await readIntegration(server, id)).toMatchObject({
      serverTokenConfigured: true,
      userConnection: { connected: true },
    });
  });

  it('is 204 without a change when nothing is configured', async () => {
    const { id } = await createIntegration(server);
    const answer = await remove(id);
    expect([answer.status, answer.headers.get('etag')]).toStrictEqual([204, '"v1"']);
  });

  it('works on an archived integration, and honours If-Match', async () => {
    const { id } = await createIntegration(server, { oauth: required });
    await server.call('DELETE', `/integrations/${id}`);
    expect((await remove(id, { headers: { 'if-match': '"v1"' } })).status).toBe(412);
    expect((await remove(id, { headers: { 'if-match': '"v2"' } })).status).toBe(204);
    expect(await readIntegration(server, id)).not.toHaveProperty('oauth');
  });
});

function redirectUriAt(id: string) {
  return { redirectUri: `${server.origin}/oauth/callback/${id}` };
}
