import { describe, expect, it } from 'vitest';
import { refresh, signIn, startProvider } from './support.ts';

describe('the shape of GitHub', () => {
  it('is a form with scopes separated by commas, and errors with status 200', async () => {
    const provider = await startProvider({ shape: 'github', accessTokenSeconds: null });
    const answer = await signIn(provider, { scope: 'read,write' });
    expect(answer.headers.get('content-type')).toContain('application/x-www-form-urlencoded');
    const fields = new URLSearchParams(await answer.text());
    expect(fields.get('scope')).toBe('read,write');
    expect(fields.get('token_type')).toBe('bearer');
    expect(provider.verify(fields.get('access_token') ?? '')?.scopes).toEqual(['read', 'write']);

    const refused = await refresh(provider, 'unknown');
    expect(refused.status).toBe(200);
    expect(new URLSearchParams(await refused.text()).get('error')).toBe('bad_refresh_token');
  });
});

describe('the shape of Slack', () => {
  it('has the token of the user inside, and of the bot at the top', async () => {
    const provider = await startProvider({ shape: 'slack' });
    const answer = await (await signIn(provider, { user_scope: 'read,write', scope: '' })).json();
    expect(answer).toMatchObject({
      ok: true,
      token_type: 'bot',
      authed_user: { id: 'ada', token_type: 'user', scope: 'read,write' },
    });
    expect(provider.verify(answer.access_token)?.sub).toBe('bot');
    expect(provider.verify(answer.authed_user.access_token)?.sub).toBe('ada');

    const refreshed = await (await refresh(provider, answer.authed_user.refresh_token)).json();
    expect(provider.verify(refreshed.access_token)?.sub).toBe('ada');
    const refused = await refresh(provider, answer.authed_user.refresh_token);
    expect([refused.status, await refused.json()]).toEqual([
      200,
      { ok: false, error: 'invalid_refresh_token' },
    ]);
  });
});

describe('the shape of Google', () => {
  const offline = { access_type: 'offline' };

  it('has a refresh token at the first consent, and later only where consent is asked again', async () => {
    const provider = await startProvider({ shape: 'google' });
    const given = async (params: Readonly<Record<string, string>>) =>
      'refresh_token' in (await (await signIn(provider, params)).json());
    expect(await given(offline)).toBe(true);
    expect(await given(offline)).toBe(false);
    expect(await given({ ...offline, prompt: 'consent' })).toBe(true);
    expect(await given({ prompt: 'consent' })).toBe(false);
  });

  it('sends no refresh token with a refresh, and keeps the one that was used', async () => {
    const provider = await startProvider({ shape: 'google' });
    const { refresh_token } = await (await signIn(provider, offline)).json();
    for (const _time of [1, 2]) {
      const answer = await (await refresh(provider, refresh_token)).json();
      expect(answer).not.toHaveProperty('refresh_token');
      expect(provider.verify(answer.access_token)?.sub).toBe('ada');
    }
  });
});
