import { describe, expect, it } from 'vitest';
import { discoverServer } from '../../../src/credentials/oauth/discovery/discover-server.ts';
import { presetOf } from '../../../src/credentials/oauth/presets/find-preset.ts';
import { expectFailure, openHttp, soon, upstreamAt } from './support/parties.ts';
import { openProvider, type Routes } from './support/provider-server.ts';

const PRM = '/.well-known/oauth-protected-resource';
const AS = '/.well-known/oauth-authorization-server';
const OIDC = '/.well-known/openid-configuration';

const metadataOf = (issuer: string, more: object = {}) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  code_challenge_methods_supported: ['S256'],
  ...more,
});

/** An MCP server at `/mcp` and its authorization server, on one origin. */
async function discover(
  routesOf: (origin: string) => Routes,
  options:
    | Parameters<typeof upstreamAt>[1]
    | ((origin: string) => Parameters<typeof upstreamAt>[1]) = {},
) {
  const provider = await openProvider();
  const { origin } = provider;
  provider.serve({ '/mcp': { status: 401 }, ...routesOf(origin) });
  const made = typeof options === 'function' ? options(origin) : options;
  const upstream = upstreamAt(`${origin}/mcp?key=secret-1`, made);
  const work = discoverServer(openHttp(), upstream, soon());
  return { origin, provider, work };
}

const resourceOf = (origin: string, more: object = {}) => ({
  body: { resource: `${origin}/mcp`, authorization_servers: [origin], ...more },
});

describe('discovery', () => {
  it('asks where the challenge says, then with the path, then at the root', async () => {
    const { origin, provider, work } = await discover((at) => ({
      '/mcp': {
        status: 401,
        headers: {
          'www-authenticate': `Basic realm="x", Bearer resource_metadata="${at}/named", scope="one two"`,
        },
      },
      '/named': { status: 404 },
      [PRM]: resourceOf(at, { resource: at, scopes_supported: ['three'] }),
      [AS]: { body: metadataOf(at, { authorization_response_iss_parameter_supported: true }) },
    }));
    expect(await work).toMatchObject({
      issuer: origin,
      tokenEndpoint: `${origin}/token`,
      sendsIss: true,
      resource: origin,
      resourceScopes: ['one', 'two'],
    });
    const asked = provider.received.map(({ method, path }) => `${method} ${path}`);
    expect(asked).toEqual([
      'POST /mcp?key=secret-1',
      'GET /named',
      `GET ${PRM}/mcp`,
      `GET ${PRM}`,
      `GET ${AS}`,
    ]);
  });

  it.each([
    ['oauth-authorization-server with the path', `${AS}/tenant`],
    ['openid-configuration with the path', `${OIDC}/tenant`],
    ['openid-configuration below the path', `/tenant${OIDC}`],
  ])('finds metadata at %s', async (_, place) => {
    const { origin, work } = await discover((at) => ({
      [`${PRM}/mcp`]: resourceOf(at, { authorization_servers: [`${at}/tenant`] }),
      [place]: { body: metadataOf(`${at}/tenant`) },
    }));
    expect(await work).toMatchObject({ issuer: `${origin}/tenant` });
  });

  it('reads what the server offers and takes the scopes of the resource', async () => {
    const { origin, work } = await discover((at) => ({
      [`${PRM}/mcp`]: resourceOf(at, { scopes_supported: ['read', 'write'] }),
      [AS]: {
        body: metadataOf(at, {
          registration_endpoint: `${at}/register`,
          revocation_endpoint: `${at}/revoke`,
          userinfo_endpoint: 'http://elsewhere.example/userinfo',
          client_id_metadata_document_supported: true,
          scopes_supported: ['offline_access'],
          token_endpoint_auth_methods_supported: ['none'],
        }),
      },
    }));
    const server = await work;
    expect(server).toMatchObject({
      registrationEndpoint: `${origin}/register`,
      revocationEndpoint: `${origin}/revoke`,
      supportsClientIdMetadata: true,
      sendsIss: false,
      scopesSupported: ['offline_access'],
      tokenEndpointAuthMethods: ['none'],
      resource: `${origin}/mcp`,
      resourceScopes: ['read', 'write'],
    });
    expect(server.userinfoEndpoint).toBeUndefined();
  });

  it('ignores a page that is served for every path', async () => {
    const page = { headers: { 'content-type': 'text/html' }, body: '<h1>evil</h1>' };
    const { origin, work } = await discover((at) => ({
      [`${PRM}/mcp`]: page,
      [PRM]: resourceOf(at),
      [AS]: page,
      [OIDC]: { body: metadataOf(at) },
    }));
    expect(await work).toMatchObject({ issuer: origin });
  });

  it.each([
    ['another origin', 'https://evil.example/mcp'],
    ['a longer path', '/mcp/more'],
    ['a path that only begins alike', '/mc'],
  ])('refuses metadata of a resource with %s', async (_, resource) => {
    const { work } = await discover((at) => ({
      [`${PRM}/mcp`]: resourceOf(at, { resource: new URL(resource, at).href }),
    }));
    await expectFailure(work, 'resource_mismatch');
  });

  it('keeps the resource exactly as it is published', async () => {
    const { origin, work } = await discover((at) => ({
      [`${PRM}/mcp`]: resourceOf(at, { resource: `${at}/mcp/` }),
      [AS]: { body: metadataOf(at) },
    }));
    expect((await work).resource).toBe(`${origin}/mcp/`);
  });

  it('sends the configured resource, unless the provider does not take it or an admin has turned it off', async () => {
    const routes = (at: string): Routes => ({
      [`${PRM}/mcp`]: resourceOf(at),
      [AS]: { body: metadataOf(at) },
    });
    const { work } = await discover(routes, { config: { scopes: [], resource: 'urn:other' } });
    expect((await work).resource).toBe('urn:other');
    const { work: without } = await discover(routes, { preset: presetOf('google') });
    expect((await without).resource).toBeUndefined();
    const { work: off } = await discover(routes, { config: { scopes: [], resource: '' } });
    expect((await off).resource).toBeUndefined();
  });

  it('refuses metadata with another issuer, but for the slash that URL libraries add', async () => {
    const { work } = await discover((at) => ({
      [`${PRM}/mcp`]: resourceOf(at),
      [AS]: { body: metadataOf(`${at}/evil`) },
    }));
    await expectFailure(work, 'issuer_mismatch');
    const { origin, work: slashed } = await discover((at) => ({
      [`${PRM}/mcp`]: resourceOf(at, { authorization_servers: [`${at}/`] }),
      [AS]: { body: metadataOf(at) },
    }));
    expect((await slashed).issuer).toBe(origin);
  });

  it.each([
    ['', '/'],
    ['/', ''],
  ])(
    'takes an issuer without a path that is named with %j and published with %j at its end',
    async (named, own) => {
      const routes = (at: string): Routes => ({
        [`${PRM}/mcp`]: resourceOf(at, { authorization_servers: [`${at}${named}`] }),
        [AS]: { body: metadataOf(at, { issuer: `${at}${own}` }) },
      });
      const { origin, work } = await discover(routes);
      expect((await work).issuer).toBe(`${origin}${own}`);
      const configured = (at: string) => ({ config: { scopes: [], issuer: `${at}${own}` } });
      expect((await (await discover(routes, configured)).work).issuer).toMatch(/^http:/);
    },
  );

  it('refuses an issuer with a path that is published with one more slash', async () => {
    const { work } = await discover((at) => ({
      [`${PRM}/mcp`]: resourceOf(at, { authorization_servers: [`${at}/tenant`] }),
      [`${AS}/tenant`]: { body: metadataOf(`${at}/tenant/`) },
    }));
    await expectFailure(work, 'issuer_mismatch');
  });

  it('uses the configured issuer, which the resource must name', async () => {
    const routes = (at: string): Routes => ({
      [`${PRM}/mcp`]: resourceOf(at, { authorization_servers: [at, `${at}/second`] }),
      [`${AS}/second`]: { body: metadataOf(`${at}/second`) },
      [`${AS}/third`]: { body: metadataOf(`${at}/third`) },
    });
    const configured = (name: string) => (at: string) => ({
      config: { scopes: [], issuer: `${at}/${name}` },
    });
    const { origin, work } = await discover(routes, configured('second'));
    expect((await work).issuer).toBe(`${origin}/second`);
    const { work: third } = await discover(routes, configured('third'));
    await expectFailure(third, 'issuer_mismatch');
  });

  it('refuses a server that does not list S256', async () => {
    const plain = (methods: string[] | undefined) => (at: string) => ({
      [`${PRM}/mcp`]: resourceOf(at),
      [AS]: { body: metadataOf(at, { code_challenge_methods_supported: methods }) },
    });
    const entered = (at: string) => ({ config: { scopes: [], issuer: at, clientId: 'client-1' } });
    for (const methods of [undefined, ['plain']]) {
      await expectFailure((await discover(plain(methods))).work, 'pkce_not_supported');
    }
    await expectFailure((await discover(plain(['plain']), entered)).work, 'pkce_not_supported');
    await (await discover(plain(undefined), entered)).work;
    await (await discover(plain(undefined), { preset: presetOf('entra') })).work;
  });

  it.each(['http://elsewhere.example/authorize', 'javascript:alert(1)', '/authorize', 7])(
    'refuses %s as an endpoint',
    async (authorization_endpoint) => {
      const { work } = await discover((at) => ({
        [`${PRM}/mcp`]: resourceOf(at),
        [AS]: { body: metadataOf(at, { authorization_endpoint }) },
      }));
      const isHttp = String(authorization_endpoint).startsWith('http:');
      await expectFailure(work, isHttp ? 'insecure_endpoint' : 'metadata_invalid');
    },
  );

  it('does not take a server failure for missing metadata', async () => {
    const busy = { status: 503, headers: { 'retry-after': '3' } };
    const { work } = await discover(() => ({ [`${PRM}/mcp`]: busy }));
    const error = await expectFailure(work, 'server_error');
    expect([error.outcome, error.retryAfter]).toEqual(['transient', 3000]);
  });

  it('dials no address that the egress policy denies', async () => {
    const http = openHttp({ allowedNetworks: ['127.0.0.1'] });
    const provider = await openProvider();
    const { origin } = provider;
    provider.serve({
      '/mcp': { status: 401 },
      [PRM]: resourceOf(origin, { resource: origin, authorization_servers: ['https://10.0.0.1'] }),
    });
    await expectFailure(discoverServer(http, upstreamAt(`${origin}/mcp`), soon()), 'egress_denied');
  });

  it('reads nothing over plain http that is not allowed', async () => {
    const http = openHttp({ allowedNetworks: ['127.0.0.1'] });
    const provider = await openProvider();
    const { origin } = provider;
    provider.serve({
      '/mcp': { status: 401 },
      [PRM]: resourceOf(origin, { resource: origin, authorization_servers: ['http://8.8.8.8'] }),
    });
    const work = discoverServer(http, upstreamAt(`${origin}/mcp`), AbortSignal.timeout(5_000));
    await expectFailure(work, 'insecure_endpoint');
  });

  it('does not follow a redirect', async () => {
    const { provider, work } = await discover((at) => ({
      [PRM]: { status: 302, headers: { location: `${at}/elsewhere` } },
      '/elsewhere': resourceOf(at, { resource: at }),
      [AS]: { body: metadataOf(at) },
    }));
    await work;
    expect(provider.received.map(({ path }) => path)).not.toContain('/elsewhere');
  });
});

describe('discovery by MCP 2025-03-26', () => {
  it('takes metadata at the origin, and sends the URL without its query as the resource', async () => {
    const { origin, work } = await discover((at) => ({ [AS]: { body: metadataOf(at) } }));
    expect(await work).toMatchObject({ issuer: origin, resource: `${origin}/mcp` });
  });

  it("follows this metadata to the issuer that it names, and uses the issuer's own metadata", async () => {
    const { origin, work } = await discover((at) => ({
      [AS]: { body: metadataOf(`${at}/real`, { token_endpoint: `${at}/evil` }) },
      [`${AS}/real`]: { body: metadataOf(`${at}/real`) },
    }));
    expect(await work).toMatchObject({
      issuer: `${origin}/real`,
      tokenEndpoint: `${origin}/real/token`,
    });
  });

  it("takes the origin's metadata for an issuer at that origin that publishes nothing itself", async () => {
    const { origin, work } = await discover((at) => ({
      [AS]: { body: metadataOf(`${at}/oauth`) },
    }));
    expect(await work).toMatchObject({
      issuer: `${origin}/oauth`,
      tokenEndpoint: `${origin}/oauth/token`,
    });
  });

  it('takes metadata for an issuer of another origin from that origin only', async () => {
    const other = await openProvider({});
    const { work } = await discover(() => ({ [AS]: { body: metadataOf(other.origin) } }));
    await expectFailure(work, 'metadata_not_found');
    expect(other.received.length).toBeGreaterThan(0);
  });

  it('takes the usual endpoints where a server refuses calls and publishes nothing', async () => {
    const { origin, work } = await discover(() => ({}));
    expect(await work).toMatchObject({
      issuer: origin,
      authorizationEndpoint: `${origin}/authorize`,
      tokenEndpoint: `${origin}/token`,
      registrationEndpoint: `${origin}/register`,
    });
  });

  it('finds nothing where the server asks for no credential', async () => {
    const { work } = await discover(() => ({ '/mcp': { status: 404 } }));
    await expectFailure(work, 'metadata_not_found');
  });
});

describe('discovery of a known provider', () => {
  it('needs no metadata of its issuer', async () => {
    const { work } = await discover(
      (at) => ({
        [`${PRM}/mcp`]: resourceOf(at, {
          authorization_servers: ['https://github.com/login/oauth'],
          scopes_supported: ['repo'],
        }),
      }),
      { preset: presetOf('github') },
    );
    expect(await work).toMatchObject({
      issuer: 'https://github.com/login/oauth',
      tokenEndpoint: 'https://github.com/login/oauth/access_token',
      resourceScopes: ['repo'],
    });
  });

  it('takes the metadata of an issuer that is not its own', async () => {
    const { origin, work } = await discover(
      (at) => ({ [`${PRM}/mcp`]: resourceOf(at), [AS]: { body: metadataOf(at) } }),
      { preset: presetOf('github') },
    );
    expect(await work).toMatchObject({ issuer: origin, tokenEndpoint: `${origin}/token` });
  });

  it('goes to its issuer where the resource publishes nothing', async () => {
    const { work } = await discover(() => ({}), { preset: presetOf('Slack') });
    expect(await work).toMatchObject({ issuer: 'https://mcp.slack.com', resource: undefined });
  });

  it.each(['https://acme.zendesk.com', 'https://acme.zendesk.com/'])(
    'fills in the endpoints at the issuer of one customer, %s',
    async (issuer) => {
      const { work } = await discover(() => ({}), {
        preset: presetOf('zendesk'),
        config: { scopes: [], issuer },
      });
      expect(await work).toMatchObject({
        issuer: 'https://acme.zendesk.com',
        tokenEndpoint: 'https://acme.zendesk.com/oauth/tokens',
      });
    },
  );
});
