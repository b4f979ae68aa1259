import { describe, expect, it } from 'vitest';
import { presetOf } from '../../../src/credentials/oauth/presets/find-preset.ts';
import { findDisplayName } from '../../../src/credentials/oauth/tokens/find-display-name.ts';
import type { TokenSet } from '../../../src/credentials/oauth/upstream.ts';
import { openHttp, serverAt, soon, upstreamAt } from './support/parties.ts';
import { openProvider, type Routes } from './support/provider-server.ts';

interface Known {
  readonly isKnown?: boolean;
  readonly idClaims?: Readonly<Record<string, unknown>>;
}

async function nameBy(
  routes: Routes,
  { isKnown = true, idClaims, ...more }: Partial<TokenSet> & Known = {},
) {
  const provider = await openProvider(routes);
  const { origin } = provider;
  const github = presetOf('github');
  if (github === undefined) throw new Error('There is no preset for GitHub.');
  const profile = { method: 'GET', url: `${origin}/user`, paths: ['login'] } as const;
  const issuers = isKnown ? [origin] : ['https://github.com/login/oauth'];
  const upstream = upstreamAt('https://mcp.example.com', {
    preset: { ...github, issuers, profile },
  });
  const server = serverAt(origin, { userinfoEndpoint: `${origin}/userinfo` });
  const tokens = { accessToken: 'token-1', ...more };
  const name = await findDisplayName(openHttp(), { server, upstream, tokens, idClaims }, soon());
  return { name, received: provider.received };
}

describe('a display name', () => {
  it('is the email of userinfo, else its name', async () => {
    const user = { email: 'ada@example.com', name: 'Ada' };
    const { name, received } = await nameBy({ '/userinfo': { body: user } });
    expect(name).toBe('ada@example.com');
    expect(received[0]?.headers.authorization).toBe('Bearer token-1');
    expect((await nameBy({ '/userinfo': { body: { name: 'Ada' } } })).name).toBe('Ada');
  });

  it("comes from the provider's profile call if userinfo has no name", async () => {
    const routes = { '/userinfo': { status: 403 }, '/user': { body: { login: 'ada' } } };
    expect((await nameBy(routes)).name).toBe('ada');
  });

  it('is that of the ID token, else of the token answer, where nothing else answers', async () => {
    const idClaims = { sub: '1', name: 'Ada' };
    expect((await nameBy({}, { idClaims, displayName: 'Acme' })).name).toBe('Ada');
    expect((await nameBy({}, { displayName: 'Acme' })).name).toBe('Acme');
    expect((await nameBy({})).name).toBeUndefined();
  });

  it('is never looked up by a provider that did not give the token', async () => {
    const { name, received } = await nameBy(
      { '/user': { body: { login: 'evil' } } },
      { isKnown: false },
    );
    expect(name).toBeUndefined();
    expect(received.map(({ path }) => path)).toEqual(['/userinfo']);
  });

  it('has at most 200 characters and no control characters', async () => {
    const odd = `\u202eA\u0000da\n${'😀'.repeat(300)}`;
    const { name = '' } = await nameBy({ '/userinfo': { body: { name: odd } } });
    expect([...name]).toHaveLength(200);
    expect(name).toMatch(/^A da 😀+$/u);
  });

  it('is empty where the answer is malformed', async () => {
    for (const body of ['<h1>', { email: 7 }, { email: ' ' }]) {
      expect((await nameBy({ '/userinfo': { body } })).name).toBeUndefined();
    }
  });
});
