import { createIntegrationBodySchema } from '@gatehouse/contract';
import { startIdentityProvider, startScriptedUpstream, startUpstream } from '@gatehouse/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { useMember } from '../../support/users.ts';
import { problemOf } from './support.ts';

const server = useServer();
const member = useMember(server, 'member');
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function closing<T extends { close(): Promise<unknown> }>(started: T): T {
  closers.push(() => started.close());
  return started;
}

const discover = (url: string, options = {}) =>
  server.call('POST', '/integrations/discover', { body: { url }, ...options });

async function scripted(
  handler: Parameters<Awaited<ReturnType<typeof startScriptedUpstream>>['otherwise']>[0],
) {
  const upstream = closing(await startScriptedUpstream());
  upstream.otherwise(handler);
  return upstream;
}

async function withOauth(options: Parameters<typeof startIdentityProvider>[0] = {}) {
  const provider = closing(await startIdentityProvider(options));
  const upstream = closing(await startUpstream({ oauth: { provider } }));
  return { provider, upstream };
}

describe('POST /integrations/discover', () => {
  it('is for admins', async () => {
    const { url } = closing(await startUpstream());
    expect((await discover(url, { token: member.token })).status).toBe(403);
  });

  it('suggests an open server as it calls itself', async () => {
    const { url } = closing(await startUpstream());
    const { status, body } = await discover(url);
    expect([status, body.status]).toEqual([200, 'valid']);
    expect(body.discovery).toEqual({
      ...{ name: expect.any(String), era: 'modern', authentication: 'none', provider: null },
      ...{ issuer: null, scopes: [], registration: [] },
    });
    expect(body.integration).toEqual({ name: body.discovery.name, url, authMode: 'none' });
  });

  it('suggests user_token for a server that asks for a bearer', async () => {
    const upstream = closing(await startUpstream({ requireBearer: 'secret' }));
    const { body } = await discover(upstream.url);
    expect([body.status, body.discovery.authentication]).toEqual(['pending', 'bearer']);
    expect(body.integration).toEqual({
      ...{ name: '127.0.0.1', url: upstream.url, authMode: 'user_token' },
    });
    expect(upstream.requests.some(({ headers }) => headers.authorization)).toBe(false);
  });

  it.each([
    ['documents are taken on https', {}, ['dynamic', 'static']],
    ['clients register', { clientIdMetadata: false }, ['dynamic', 'static']],
    ['nobody can register', { clientIdMetadata: false, registration: false }, ['static']],
  ])('suggests oauth where %s', async (_, options, registration) => {
    const { provider, upstream } = await withOauth(options);
    const { body } = await discover(upstream.url);
    expect(body.discovery).toEqual({
      ...{ name: null, era: null, authentication: 'oauth', provider: null },
      ...{ issuer: provider.issuer, scopes: ['read'], registration },
    });
    expect(body.integration).toEqual({
      ...{ name: '127.0.0.1', url: upstream.url, authMode: 'oauth' },
      oauth: { issuer: provider.issuer },
    });
    expect(createIntegrationBodySchema.safeParse(body.integration).success).toBe(true);
    const created = await server.call('POST', '/integrations', { body: body.integration });
    expect(created.status).toBe(201);
    expect(provider.requests('registration')).toEqual([]);
    expect(provider.clients).toEqual([]);
  });

  it('suggests nothing where the authorization server cannot be used', async () => {
    const { provider, upstream } = await withOauth();
    provider.fault('metadata', { kind: 'wrong-issuer' });
    const { body } = await discover(upstream.url);
    expect(body).toMatchObject({
      ...{ status: 'invalid', integration: null, discovery: { authentication: 'oauth' } },
      message: expect.stringContaining('a different issuer'),
    });
  });

  it('suggests nothing for what is no MCP server', async () => {
    const page = await scripted(({ respond }) => respond({ body: '<h1>Hello</h1>' }));
    const guarded = await scripted(({ respond }) => respond({ status: 401 }));
    for (const { url } of [page, guarded]) {
      const { body } = await discover(url);
      expect(body).toMatchObject({
        ...{ status: 'invalid', integration: null, discovery: { authentication: 'unknown' } },
      });
    }
  });

  it('refuses a private address, and connects to nothing', async () => {
    expect(problemOf(await discover('http://10.0.0.1/mcp'))).toEqual({
      ...{ status: 400, code: 'egress_denied', at: ['/url'] },
    });
  });

  it('answers within ten seconds when the server does not', async () => {
    const { url } = await scripted(() => undefined);
    const startedAt = performance.now();
    const { status, body } = await discover(url);
    // The machine may be slow; connecting and waiting alone could take far longer.
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    expect([status, body.status, body.integration]).toEqual([200, 'invalid', null]);
  });

  it('stores nothing', async () => {
    const before = await server.store.db.integration.count();
    await discover((await withOauth()).upstream.url);
    expect(await server.store.db.integration.count()).toBe(before);
    expect(await server.store.db.upstreamRegistration.count()).toBe(0);
  });
});
