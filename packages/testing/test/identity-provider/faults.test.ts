import { describe, expect, it } from 'vitest';
import { authorization, post, refresh, signIn, startProvider } from './support.ts';

/** Fails with what the provider does when it refreshes a token of a fresh grant. */
async function startWithToken() {
  const provider = await startProvider();
  return { provider, refreshToken: provider.issueTokens().refreshToken };
}

describe('a fault of the token endpoint', () => {
  it('is an error status with Retry-After, as often as it was set', async () => {
    const { provider, refreshToken } = await startWithToken();
    const fault = provider.fault(
      'token',
      { kind: 'status', status: 503, retryAfterSeconds: 7 },
      { times: 2 },
    );
    for (const hits of [1, 2]) {
      const answer = await refresh(provider, refreshToken);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '7']);
      expect(fault.hits).toBe(hits);
    }
    expect((await refresh(provider, refreshToken)).status).toBe(200);
    expect(provider.requests('token').map(({ status }) => status)).toEqual([503, 503, 200]);
  });

  it('is a page of a proxy until it is cleared', async () => {
    const { provider, refreshToken } = await startWithToken();
    const fault = provider.fault('token', { kind: 'html' });
    const answer = await refresh(provider, refreshToken);
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain('Bad Gateway');
    fault.clear();
    expect((await refresh(provider, refreshToken)).status).toBe(200);
  });

  it.each([
    ['invalid_grant', 400],
    ['invalid_client', 401],
    ['unauthorized_client', 400],
  ])('is the OAuth error %s', async (error, status) => {
    const { provider, refreshToken } = await startWithToken();
    provider.fault('token', { kind: 'oauth-error', error });
    const answer = await refresh(provider, refreshToken);
    expect([answer.status, (await answer.json()).error]).toEqual([status, error]);
    expect(provider.counts.refreshes).toBe(0);
  });

  it('cuts the connection before anything has happened', async () => {
    const { provider, refreshToken } = await startWithToken();
    provider.fault('token', { kind: 'cut' }, { times: 1 });
    await expect(refresh(provider, refreshToken)).rejects.toThrow();
    expect(provider.counts.refreshes).toBe(0);
    expect((await refresh(provider, refreshToken)).status).toBe(200);
  });

  it('sends half of the JSON', async () => {
    const { provider, refreshToken } = await startWithToken();
    provider.fault('token', { kind: 'malformed' });
    const answer = await refresh(provider, refreshToken);
    expect(answer.status).toBe(200);
    await expect(answer.json()).rejects.toThrow(SyntaxError);
  });

  it('holds requests until they are released, before or after they are handled', async () => {
    const { provider, refreshToken } = await startWithToken();
    const before = provider.fault('token', { kind: 'hold' });
    const held = refresh(provider, refreshToken);
    await before.reached();
    expect(provider.counts.refreshes).toBe(0);
    before.clear();
    const { refresh_token } = await (await held).json();

    const after = provider.fault('token', { kind: 'hold', handleFirst: true });
    const late = refresh(provider, refresh_token);
    await after.reached();
    await expect.poll(() => provider.counts.refreshes).toBe(2);
    after.release();
    expect((await late).status).toBe(200);
  });

  it('makes an answer slow', async () => {
    const { provider, refreshToken } = await startWithToken();
    provider.fault('token', { kind: 'slow', milliseconds: 300 });
    const begun = performance.now();
    await refresh(provider, refreshToken);
    // Timers may be a millisecond early.
    expect(performance.now() - begun).toBeGreaterThan(295);
  });

  it('applies only to the requests that are chosen, beside a fault of the answer', async () => {
    const { provider, refreshToken } = await startWithToken();
    const isRefresh = { when: ({ form }: { form: URLSearchParams }) => form.has('refresh_token') };
    provider.fault('token', { kind: 'slow', milliseconds: 1 }, isRefresh);
    const edit = (body: object) => ({ ...body, expires_in: '60' });
    provider.fault('token', { kind: 'edit', edit }, isRefresh);
    expect((await (await signIn(provider)).json()).expires_in).toBe(3600);
    expect((await (await refresh(provider, refreshToken)).json()).expires_in).toBe('60');
  });
});

describe('a fault of the metadata', () => {
  const read = async (issuer: string) =>
    (await fetch(`${issuer}/.well-known/oauth-authorization-server`)).json();

  it('names another issuer', async () => {
    const provider = await startProvider();
    provider.fault('metadata', { kind: 'wrong-issuer' }, { times: 1 });
    expect((await read(provider.issuer)).issuer).toBe('https://wrong-issuer.example');
    expect((await read(provider.issuer)).issuer).toBe(provider.issuer);
  });

  it('names private addresses', async () => {
    const provider = await startProvider();
    provider.fault('metadata', { kind: 'private-addresses', host: '169.254.169.254' });
    const document = await read(provider.issuer);
    expect(document.issuer).toBe(provider.issuer);
    expect(new URL(document.token_endpoint).hostname).toBe('169.254.169.254');
    expect(new URL(document.jwks_uri).hostname).toBe('169.254.169.254');
  });
});

it.each([null, 'https://attacker.example'])('redirects back with the iss %s', async (iss) => {
  const provider = await startProvider({ autoApprove: false });
  const faults = ['authorize', 'consent'] as const;
  for (const endpoint of faults) provider.fault(endpoint, { kind: 'iss', iss }, { times: 1 });
  const { url } = authorization(provider);
  expect((await provider.approve(url)).searchParams.get('iss')).toBe(iss);
  expect((await provider.approve(url)).searchParams.get('iss')).toBe(provider.issuer);
});

it('clears all faults, and lets go what they hold', async () => {
  const { provider, refreshToken } = await startWithToken();
  const hold = provider.fault('token', { kind: 'hold' });
  provider.fault('revocation', { kind: 'cut' });
  const held = refresh(provider, refreshToken);
  await hold.reached();
  provider.clearFaults();
  expect((await held).status).toBe(200);
  expect((await post(provider, '/revoke', { token: 'x' })).status).toBe(200);
});
