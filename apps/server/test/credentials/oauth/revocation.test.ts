import { describe, expect, it } from 'vitest';
import { presetOf } from '../../../src/credentials/oauth/presets/find-preset.ts';
import type { Preset } from '../../../src/credentials/oauth/presets/preset.ts';
import { revokeToken } from '../../../src/credentials/oauth/tokens/revoke-token.ts';
import type { UpstreamOauthCode } from '../../../src/credentials/oauth/upstream-error.ts';
import { CLIENT, expectFailure, openHttp, serverAt, soon, upstreamAt } from './support/parties.ts';
import { openProvider, type Reply } from './support/provider-server.ts';

const REFRESH = 'refresh_token';
const URL_OF_MCP = 'https://mcp.example.com/mcp';

async function revokeAt(reply: Reply | undefined, more: object = {}) {
  const provider = await openProvider({ '/revoke': reply });
  const { origin } = provider;
  const server = serverAt(origin, { revocationEndpoint: `${origin}/revoke`, ...more });
  const request = { server, upstream: upstreamAt(URL_OF_MCP), client: CLIENT, token: 'secret-1' };
  const work = revokeToken(openHttp(), { ...request, hint: REFRESH }, soon());
  return { provider, work };
}

describe('revocation by RFC 7009', () => {
  it('sends the token with its kind and the client', async () => {
    const { provider, work } = await revokeAt({ body: '' });
    expect(await work).toBe('revoked');
    expect(Object.fromEntries(new URLSearchParams(provider.received[0]?.body))).toEqual({
      token: 'secret-1',
      token_type_hint: REFRESH,
      client_id: 'client-1',
      client_secret: 'secret-1',
    });
  });

  it('authenticates as the server lists for it', async () => {
    const methods = { revocationEndpointAuthMethods: ['client_secret_basic'] };
    const { provider, work } = await revokeAt({ body: '' }, methods);
    await work;
    expect(provider.received[0]?.headers.authorization).toMatch(/^Basic /);
  });

  it.each<[string, Reply | undefined, string]>([
    [
      'Google: a token that has ended',
      { status: 400, body: { error: 'invalid_token' } },
      'revoked',
    ],
    [
      'a kind that cannot be revoked',
      { status: 400, body: { error: 'unsupported_token_type' } },
      'not_supported',
    ],
    ['an endpoint that is gone', undefined, 'not_supported'],
  ])('%s', async (_, reply, result) => {
    expect(await (await revokeAt(reply)).work).toBe(result);
  });

  it.each<[string, Reply, UpstreamOauthCode]>([
    [
      'of a client that is not known',
      { status: 401, body: { error: 'invalid_client' } },
      'client_rejected',
    ],
    ['of a server in trouble', { status: 503, body: '' }, 'server_error'],
    ['for another reason', { status: 400, body: { error: 'evil' } }, 'request_rejected'],
  ])('fails %s', async (_, reply, code) => {
    await expectFailure((await revokeAt(reply)).work, code);
  });

  it('is not supported without an endpoint', async () => {
    const { work } = await revokeAt({ body: '' }, { revocationEndpoint: undefined });
    expect(await work).toBe('not_supported');
  });
});

/** The preset with its revocation at a server of ours. */
function moved(name: string, origin: string, path: string): Preset {
  const preset = presetOf(name);
  if (preset?.revocation === undefined)
    throw new Error(`${name} does not define its own revocation.`);
  return { ...preset, issuers: [origin], revocation: { ...preset.revocation, url: path } };
}

describe("revocation in the provider's own way", () => {
  async function revokeBy(
    name: string,
    path: string,
    reply: Reply,
    hint: 'access_token' | 'refresh_token',
  ) {
    const provider = await openProvider({ [path.replace('{clientId}', 'client-1')]: reply });
    const { origin } = provider;
    const upstream = upstreamAt(URL_OF_MCP, { preset: moved(name, origin, path) });
    const request = { server: serverAt(origin), upstream, client: CLIENT, token: 'token-1', hint };
    return { provider, work: revokeToken(openHttp(), request, soon()) };
  }

  it.each([204, 404, 422])(
    'GitHub: DELETE with the token in the body, status %i',
    async (status) => {
      const path = '/applications/{clientId}/token';
      const { provider, work } = await revokeBy('github', path, { status }, 'access_token');
      expect(await work).toBe('revoked');
      expect(provider.received[0]).toMatchObject({
        method: 'DELETE',
        path: '/applications/client-1/token',
        body: '{"access_token":"token-1"}',
        headers: {
          authorization: `Basic ${Buffer.from('client-1:secret-1').toString('base64')}`,
          'user-agent': 'Gatehouse',
        },
      });
    },
  );

  it.each([{ ok: true }, { ok: false, error: 'token_revoked' }])(
    'Slack: POST by the token, %j',
    async (body) => {
      const { provider, work } = await revokeBy(
        'slack',
        '/api/auth.revoke',
        { body },
        'access_token',
      );
      expect(await work).toBe('revoked');
      expect(provider.received[0]?.headers.authorization).toBe('Bearer token-1');
    },
  );

  it('Slack: too many requests', async () => {
    const body = { ok: false, error: 'ratelimited' };
    const { work } = await revokeBy('slack', '/api/auth.revoke', { body }, 'access_token');
    await expectFailure(work, 'rate_limited');
  });

  it('Zendesk: DELETE by the token', async () => {
    const { provider, work } = await revokeBy(
      'zendesk',
      '/api/v2/t.json',
      { status: 204 },
      'access_token',
    );
    expect(await work).toBe('revoked');
    expect(provider.received[0]?.method).toBe('DELETE');
  });

  it('leaves refresh tokens alone', async () => {
    const { provider, work } = await revokeBy('slack', '/api/auth.revoke', {}, 'refresh_token');
    expect(await work).toBe('not_supported');
    expect(provider.received).toEqual([]);
  });

  it('is not used for tokens of another issuer', async () => {
    const provider = await openProvider({ '/revoke': { body: '' } });
    const { origin } = provider;
    const preset = { ...moved('slack', origin, `${origin}/evil`), issuers: ['https://slack.com'] };
    const server = serverAt(origin, { revocationEndpoint: `${origin}/revoke` });
    const upstream = upstreamAt(URL_OF_MCP, { preset });
    const request = { server, upstream, client: CLIENT, token: 't', hint: 'access_token' } as const;
    expect(await revokeToken(openHttp(), request, soon())).toBe('revoked');
    expect(provider.received.map(({ path }) => path)).toEqual(['/revoke']);
  });
});
