import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { post, refresh, signIn, startProvider } from './support.ts';

describe('a rotating refresh token', () => {
  it('is replaced at each use, and what came before stays usable until it expires', async () => {
    const provider = await startProvider();
    const first = await (await signIn(provider)).json();
    const second = await (await refresh(provider, first.refresh_token)).json();
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(provider.verify(first.access_token)?.sub).toBe('ada');
    expect(provider.verify(second.access_token)?.sub).toBe('ada');
    expect(provider.counts).toEqual({
      grants: 1,
      grantsEnded: 0,
      refreshes: 1,
      reusesDetected: 0,
      revocations: 0,
    });
  });

  it('ends the whole grant when it is used a second time', async () => {
    const provider = await startProvider();
    const first = await (await signIn(provider)).json();
    const second = await (await refresh(provider, first.refresh_token)).json();

    const reused = await refresh(provider, first.refresh_token);
    expect(reused.status).toBe(400);
    expect((await reused.json()).error).toBe('invalid_grant');
    expect(provider.verify(second.access_token)).toBeUndefined();
    expect((await refresh(provider, second.refresh_token)).status).toBe(400);
    expect(provider.grants[0]).toMatchObject({
      endedBecause: 'refresh_token_reused',
      refreshes: 1,
      reusesDetected: 1,
    });
  });

  it('lets one of two parallel refreshes win, and then ends the grant', async () => {
    const provider = await startProvider();
    const { refresh_token } = await (await signIn(provider)).json();
    const both = await Promise.all([1, 2].map(() => refresh(provider, refresh_token)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(provider.counts).toMatchObject({ refreshes: 1, reusesDetected: 1, grantsEnded: 1 });
  });

  it('is lost with the answer that had the next one', async () => {
    const provider = await startProvider();
    const { refresh_token } = await (await signIn(provider)).json();
    provider.fault('token', { kind: 'lost-answer' }, { times: 1 });
    await expect(refresh(provider, refresh_token)).rejects.toThrow();
    expect(provider.counts).toMatchObject({ refreshes: 1, grantsEnded: 0 });
    expect((await refresh(provider, refresh_token)).status).toBe(400);
    expect(provider.counts).toMatchObject({ reusesDetected: 1, grantsEnded: 1 });
  });
});

it('keeps a refresh token that does not rotate, also after a lost answer', async () => {
  const provider = await startProvider({ rotation: false });
  const { refresh_token } = await (await signIn(provider)).json();
  provider.fault('token', { kind: 'lost-answer' }, { times: 1 });
  await expect(refresh(provider, refresh_token)).rejects.toThrow();
  const answer = await (await refresh(provider, refresh_token)).json();
  expect(answer).not.toHaveProperty('refresh_token');
  expect(provider.verify(answer.access_token)?.sub).toBe('ada');
});

it('expires access tokens by themselves and all at once, and then they can be refreshed', async () => {
  const provider = await startProvider({ accessTokenSeconds: 0.2 });
  const first = await (await signIn(provider)).json();
  expect(first.expires_in).toBe(1);
  await expect.poll(() => provider.verify(first.access_token)).toBeUndefined();

  provider.configure({ accessTokenSeconds: 3600 });
  const second = await (await refresh(provider, first.refresh_token)).json();
  expect(provider.verify(second.access_token)?.sub).toBe('ada');
  provider.expireAccessTokens();
  expect(provider.verify(second.access_token)).toBeUndefined();
  expect((await refresh(provider, second.refresh_token)).status).toBe(200);
});

it('without a lifetime, sends no expires_in and never expires tokens', async () => {
  const provider = await startProvider({ accessTokenSeconds: null, refreshTokens: 'never' });
  const answer = await (await signIn(provider)).json();
  expect(answer).not.toHaveProperty('expires_in');
  expect(answer).not.toHaveProperty('refresh_token');
  expect(provider.verify(answer.access_token)?.expiresAt).toBeNull();
});

it('gives a refresh token for offline_access alone, if that is how it is set', async () => {
  const provider = await startProvider({ refreshTokens: 'offline_access' });
  expect(await (await signIn(provider, { scope: 'read' })).json()).not.toHaveProperty(
    'refresh_token',
  );
  const offline = await signIn(provider, { scope: 'read offline_access' });
  expect(await offline.json()).toHaveProperty('refresh_token');
});

it('revokes a grant by its refresh token, and an access token alone', async () => {
  const provider = await startProvider();
  const first = await (await signIn(provider)).json();
  const second = await (await refresh(provider, first.refresh_token)).json();

  await post(provider, '/revoke', { token: second.access_token });
  expect(provider.verify(second.access_token)).toBeUndefined();
  expect(provider.verify(first.access_token)?.sub).toBe('ada');

  expect((await post(provider, '/revoke', { token: second.refresh_token })).status).toBe(200);
  expect(provider.verify(first.access_token)).toBeUndefined();
  expect(provider.grants[0]).toMatchObject({ revocations: 2, endedBecause: 'revoked' });
  expect((await post(provider, '/revoke', { token: 'unknown' })).status).toBe(200);
});

it('ends the grant that the test names, or all', async () => {
  const provider = await startProvider();
  const first = provider.issueTokens();
  const second = provider.issueTokens();
  provider.endGrant(first.grant.id);
  expect(provider.verify(first.accessToken)).toBeUndefined();
  expect(provider.verify(second.accessToken)?.clientId).toBe('app');
  provider.endGrant();
  expect((await refresh(provider, second.refreshToken)).status).toBe(400);
});

it('serves 200 callers that refresh at the same time, again and again', async () => {
  const provider = await startProvider({ accessTokenSeconds: 2 });
  const callers = Array.from({ length: 200 }, () => provider.issueTokens().refreshToken ?? '');
  const rounds = 3;
  await Promise.all(
    callers.map(async (first) => {
      let refreshToken = first;
      for (let round = 0; round < rounds; round += 1) {
        const { refresh_token } = await (await refresh(provider, refreshToken)).json();
        refreshToken = refresh_token;
        await delay(1);
      }
    }),
  );
  expect(provider.counts).toMatchObject({ refreshes: 200 * rounds, grantsEnded: 0 });
});

it('knows every secret that it issued, and every request', async () => {
  const provider = await startProvider();
  const { access_token, refresh_token } = await (await signIn(provider)).json();
  await refresh(provider, refresh_token);
  expect(provider.issuedSecrets()).toEqual(
    expect.arrayContaining([access_token, refresh_token, expect.stringContaining('idp_code_')]),
  );
  expect(provider.requests().map(({ endpoint, status }) => [endpoint, status])).toEqual([
    ['authorize', 303],
    ['token', 200],
    ['token', 200],
  ]);
  expect(provider.requests('token')[1]?.form.get('grant_type')).toBe('refresh_token');
});
