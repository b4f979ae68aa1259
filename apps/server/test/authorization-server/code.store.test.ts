import { describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';
import {
  authorize,
  createClient,
  createPkce,
  obtainTokens,
  REDIRECT_URI,
  requestToken,
  signedInBrowser,
} from './fixture.ts';

const server = useServer();

describe('authorization by code', () => {
  it('gives a token that works on its gateway URL and nowhere else', async () => {
    const client = await createClient(server);
    const other = await createClient(server);
    const browser = await signedInBrowser(server);
    const { status, body } = await obtainTokens(server, browser, client);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { token_type: 'Bearer', expires_in: 600, scope: 'mcp' },
    });
    expect(body.access_token).toMatch(/^gh_at_[\w-]{43}$/);
    expect(body.refresh_token).toMatch(/^gh_rt_[\w-]{43}$/);
    const headers = { authorization: `Bearer ${body.access_token}` };
    // Nothing listens upstream.
    expect((await fetch(client.mcpUrl, { method: 'POST', headers, body: '{}' })).status).toBe(502);
    expect((await fetch(other.mcpUrl, { method: 'POST', headers, body: '{}' })).status).toBe(401);
    expect((await server.call('GET', '/me', { token: body.access_token })).status).toBe(401);
  });

  it('refreshes', async () => {
    const client = await createClient(server);
    const browser = await signedInBrowser(server);
    const { body } = await obtainTokens(server, browser, client);
    const again = {
      grant_type: 'refresh_token',
      client_id: client.clientId,
      refresh_token: body.refresh_token,
    };
    const first = await requestToken(server, again);
    expect(first).toMatchObject({ status: 200 });
    const retry = await requestToken(server, again);
    expect(retry.body).toEqual(first.body);
  });

  it('answers a denial by redirect', async () => {
    const client = await createClient(server);
    const browser = await signedInBrowser(server);
    const { challenge } = createPkce();
    const back = await authorize(
      server,
      browser,
      {
        response_type: 'code',
        client_id: client.clientId,
        redirect_uri: REDIRECT_URI,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        state: 'x',
      },
      'deny',
    );
    expect(Object.fromEntries(back)).toMatchObject({
      error: 'access_denied',
      iss: server.origin,
      state: 'x',
    });
  });
});
