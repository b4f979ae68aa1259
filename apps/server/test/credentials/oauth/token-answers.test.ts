import { describe, expect, it } from 'vitest';
import { presetOf } from '../../../src/credentials/oauth/presets/find-preset.ts';
import { refreshTokens } from '../../../src/credentials/oauth/tokens/request-tokens.ts';
import type { UpstreamOauthCode } from '../../../src/credentials/oauth/upstream-error.ts';
import { CLIENT, expectFailure, openHttp, serverAt, soon, upstreamAt } from './support/parties.ts';
import { openProvider, type Reply } from './support/provider-server.ts';

const jwt = (claims: object) =>
  ['{"alg":"none"}', JSON.stringify(claims), 'x']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');

/** Refreshes at a provider that sends the reply. */
async function refreshAt(reply: Reply, provider?: string) {
  const { origin } = await openProvider({ '/token': reply });
  const preset = presetOf(provider);
  return await refreshTokens(
    openHttp(),
    {
      server: serverAt(origin),
      upstream: upstreamAt('https://mcp.example.com/mcp', { preset }),
      client: CLIENT,
      tokenParams: undefined,
      refreshToken: 'refresh-1',
      scopes: ['read'],
    },
    soon(),
  );
}

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const html = { 'content-type': 'text/html' };

const answers: readonly [
  what: string,
  provider: string | undefined,
  reply: Reply,
  tokens: object,
][] = [
  [
    'GitHub: a form, scopes with commas',
    'github',
    { headers: form, body: 'access_token=gho_1&scope=repo%2Cgist&token_type=bearer' },
    { accessToken: 'gho_1', scopes: ['repo', 'gist'] },
  ],
  [
    'GitHub: JSON, scopes with commas',
    'github',
    { body: { access_token: 'gho_1', scope: 'repo,gist', token_type: 'bearer' } },
    { accessToken: 'gho_1', scopes: ['repo', 'gist'] },
  ],
  [
    'Slack: a bot token',
    'slack',
    {
      body: { ok: true, access_token: 'xoxb-1', token_type: 'bot', scope: 'chat:write,users:read' },
    },
    { accessToken: 'xoxb-1', scopes: ['chat:write', 'users:read'] },
  ],
  [
    'Slack: a user token inside authed_user, no scope outside',
    'slack',
    {
      body: {
        ok: true,
        scope: '',
        team: { name: 'Acme' },
        authed_user: {
          access_token: 'xoxp-1',
          refresh_token: 'xoxe-1',
          scope: 'search:read',
          token_type: 'user',
        },
      },
    },
    {
      accessToken: 'xoxp-1',
      refreshToken: 'xoxe-1',
      scopes: ['search:read'],
      displayName: 'Acme',
    },
  ],
  [
    'Asana: the account in the answer',
    'asana',
    { body: { access_token: 'a', token_type: 'bearer', data: { email: 'ada@example.com' } } },
    { accessToken: 'a', displayName: 'ada@example.com' },
  ],
  [
    'null for what there is not',
    undefined,
    { body: { access_token: 'a', refresh_token: null, expires_in: null, scope: null } },
    { accessToken: 'a' },
  ],
  [
    'scopes as a list',
    undefined,
    { body: { access_token: 'a', scope: ['x', 'y', 7] } },
    { accessToken: 'a', scopes: ['x', 'y'] },
  ],
  ['no token_type', undefined, { body: { access_token: 'a' } }, { accessToken: 'a' }],
  ['status 201', undefined, { status: 201, body: { access_token: 'a' } }, { accessToken: 'a' }],
  [
    'JSON as text/html',
    undefined,
    { headers: html, body: '{"access_token":"a"}' },
    { accessToken: 'a' },
  ],
  [
    'an empty refresh token',
    undefined,
    { body: { access_token: 'a', refresh_token: '' } },
    { accessToken: 'a' },
  ],
  [
    'a lifetime of 0',
    undefined,
    { body: { access_token: 'a', expires_in: 0 } },
    { accessToken: 'a' },
  ],
  [
    'Jobber: no expires_in, but a JWT',
    'jobber',
    { body: { access_token: jwt({ exp: 4_000_000_000 }) } },
    { accessToken: jwt({ exp: 4_000_000_000 }), expiresAt: 4_000_000_000_000 },
  ],
  ['Zendesk: no expires_in', 'zendesk', { body: { access_token: 'a' } }, { accessToken: 'a' }],
];

describe('a token answer is read', () => {
  it.each(answers)('%s', async (_, provider, reply, tokens) => {
    expect(await refreshAt(reply, provider)).toEqual(tokens);
  });

  it.each([3600, '3600'])('with a lifetime of %j seconds', async (expires_in) => {
    const before = Date.now();
    const { expiresAt = 0 } = await refreshAt({ body: { access_token: 'a', expires_in } });
    expect(expiresAt).toBeGreaterThanOrEqual(before + 3_600_000);
    expect(expiresAt).toBeLessThanOrEqual(Date.now() + 3_600_000);
  });

  it.each(['refresh_token_expires_in', 'refresh_expires_in'])('with %s', async (field) => {
    const { refreshTokenExpiresAt } = await refreshAt({
      body: { access_token: 'a', [field]: '60' },
    });
    expect(refreshTokenExpiresAt).toBeGreaterThan(Date.now());
  });
});

const refusals: readonly [string, string | undefined, Reply, UpstreamOauthCode][] = [
  [
    'GitHub: an error with 200',
    'github',
    { body: { error: 'bad_refresh_token' } },
    'grant_rejected',
  ],
  [
    'GitHub: a wrong secret with 200, as a form',
    'github',
    { headers: form, body: 'error=incorrect_client_credentials&error_description=evil' },
    'client_rejected',
  ],
  [
    'Slack: ok false',
    'slack',
    { body: { ok: false, error: 'invalid_refresh_token' } },
    'grant_rejected',
  ],
  ['Slack: too many', 'slack', { body: { ok: false, error: 'ratelimited' } }, 'rate_limited'],
  [
    'Slack: ok false of an unknown kind',
    'slack',
    { body: { ok: false, error: 'evil', access_token: 'a' } },
    'request_rejected',
  ],
  [
    'Slack: success with an empty token',
    'slack',
    { body: { ok: true, access_token: '' } },
    'response_invalid',
  ],
  [
    'Atlassian: a dead refresh token',
    'atlassian',
    { status: 403, body: { error: 'unauthorized_client' } },
    'grant_rejected',
  ],
  [
    'HubSpot: a dead refresh token',
    'hubspot',
    { status: 400, body: { status: 'BAD_REFRESH_TOKEN' } },
    'grant_rejected',
  ],
  [
    'Entra ID: the person must sign in',
    'entra',
    { status: 400, body: { error: 'interaction_required' } },
    'grant_rejected',
  ],
  [
    'unauthorized_client elsewhere',
    undefined,
    { status: 400, body: { error: 'unauthorized_client' } },
    'client_rejected',
  ],
  ['invalid_grant', undefined, { status: 400, body: { error: 'invalid_grant' } }, 'grant_rejected'],
  [
    'invalid_grant with 500',
    undefined,
    { status: 500, body: { error: 'invalid_grant' } },
    'grant_rejected',
  ],
  [
    'invalid_client',
    undefined,
    { status: 401, body: { error: 'invalid_client' } },
    'client_rejected',
  ],
  ['401 without more', undefined, { status: 401, body: '' }, 'client_rejected'],
  ['invalid_scope', undefined, { status: 400, body: { error: 'invalid_scope' } }, 'scope_rejected'],
  [
    'invalid_target',
    undefined,
    { status: 400, body: { error: 'invalid_target' } },
    'resource_rejected',
  ],
  [
    'an error that is an object',
    undefined,
    { status: 400, body: { error: { code: 'invalid_grant' } } },
    'grant_rejected',
  ],
  [
    'an error named like a method',
    undefined,
    { status: 400, body: { error: 'constructor' } },
    'request_rejected',
  ],
  [
    'HTML with 502',
    undefined,
    { status: 502, headers: html, body: '<h1>evil</h1>' },
    'server_error',
  ],
  [
    'HTML with 403',
    undefined,
    { status: 403, headers: html, body: '<h1>evil</h1>' },
    'server_error',
  ],
  ['HTML with 200', undefined, { headers: html, body: '<h1>evil</h1>' }, 'server_error'],
  ['408', undefined, { status: 408, body: '' }, 'timeout'],
  [
    'an unknown error with 429',
    undefined,
    { status: 429, body: { error: 'evil' } },
    'rate_limited',
  ],
  ['a redirect', undefined, { status: 302, headers: { location: '/other' } }, 'request_rejected'],
  [
    'a token that is no header value',
    undefined,
    { body: { access_token: 'a\r\nevil: 1' } },
    'response_invalid',
  ],
  ['a token with a space', undefined, { body: { access_token: 'two words' } }, 'response_invalid'],
  [
    'a token of more than 8 KiB',
    undefined,
    { body: { access_token: 'a'.repeat(8193) } },
    'response_invalid',
  ],
  [
    'a refresh token of more than 8 KiB',
    undefined,
    { body: { access_token: 'a', refresh_token: 'a'.repeat(8193) } },
    'response_invalid',
  ],
  [
    'a DPoP token',
    undefined,
    { body: { access_token: 'a', token_type: 'DPoP' } },
    'response_invalid',
  ],
  [
    'more than 256 KiB',
    undefined,
    { body: { access_token: 'a', filler: 'x'.repeat(300_000) } },
    'response_invalid',
  ],
  ['a list', undefined, { body: [] }, 'response_invalid'],
  ['nothing', undefined, { body: '' }, 'response_invalid'],
];

describe('a token request fails', () => {
  it.each(refusals)('%s', async (_, provider, reply, code) => {
    await expectFailure(refreshAt(reply, provider), code);
  });

  it('with the time after which the provider wants the next request', async () => {
    const headers = { 'retry-after': '7' };
    const error = await expectFailure(
      refreshAt({ status: 503, headers, body: '' }),
      'server_error',
    );
    expect([error.outcome, error.retryAfter]).toEqual(['transient', 7000]);
  });

  it('as unreachable where nobody listens, and as too slow where nobody answers', async () => {
    const parties = (origin: string) => ({
      server: serverAt(origin),
      upstream: upstreamAt('https://mcp.example.com/mcp'),
      client: CLIENT,
      tokenParams: undefined,
      refreshToken: 'refresh-1',
      scopes: [],
    });
    const nobody = refreshTokens(openHttp(), parties('http://127.0.0.1:1'), soon());
    expect((await expectFailure(nobody, 'unreachable')).outcome).toBe('transient');
    const { origin } = await openProvider({ '/token': { body: { access_token: 'a' } } });
    const slow = refreshTokens(openHttp(), parties(origin), AbortSignal.abort());
    expect((await expectFailure(slow, 'timeout')).outcome).toBe('transient');
  });

  it('where plain http is not allowed, before anything is sent', async () => {
    const provider = await openProvider({ '/token': { body: { access_token: 'a' } } });
    const http = openHttp({ allowedNetworks: [] });
    const server = serverAt(provider.origin);
    const upstream = upstreamAt('https://mcp.example.com/mcp');
    const grant = { server, upstream, client: CLIENT, tokenParams: undefined };
    const work = refreshTokens(http, { ...grant, refreshToken: 'r', scopes: [] }, soon());
    const error = await work.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ outcome: 'misconfigured' });
    expect(provider.received).toEqual([]);
  });
});
