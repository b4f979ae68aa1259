import { beforeAll, describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';
import type { Browser } from './browser.ts';
import {
  authorize,
  authorizeParameters,
  createClient,
  createPkce,
  obtainTokens,
  redeemParameters,
  requestToken,
  signedInBrowser,
  type TestClient,
} from './fixture.ts';

const server = useServer();
let browser: Browser;
let memberId: string;

beforeAll(async () => {
  memberId = (await server.addMember('member')).id;
  browser = await signedInBrowser(server, memberId);
});

/** Everything that a client may hold: tokens, and a code that it has not redeemed yet. */
async function allOf(client: TestClient) {
  const { body } = await obtainTokens(server, browser, client);
  const pkce = createPkce();
  const back = await authorize(server, browser, authorizeParameters(client, pkce));
  const code = redeemParameters(client, pkce, back.get('code') ?? '');
  const refresh = {
    grant_type: 'refresh_token',
    client_id: client.clientId,
    refresh_token: body.refresh_token,
  };
  return { access: body.access_token as string, refresh, code };
}

type Held = Awaited<ReturnType<typeof allOf>>;

/** What still works of it, by the statuses of a call, a refresh and a redemption. */
async function statusesOf({ mcpUrl }: TestClient, { access, refresh, code }: Held) {
  const headers = { authorization: `Bearer ${access}` };
  const call = await fetch(mcpUrl, { method: 'POST', headers, body: '{}' });
  const refreshed = await requestToken(server, refresh);
  const redeemed = await requestToken(server, code);
  return [call.status, refreshed.status, redeemed.status];
}

/** Nothing listens upstream. */
const ALIVE = [502, 200, 200];

describe('everything that a client holds', () => {
  it('works while nothing has happened', async () => {
    const client = await createClient(server);
    expect(await statusesOf(client, await allOf(client))).toEqual(ALIVE);
  });

  it('is refused after the integration was detached, and stays so when it is attached again', async () => {
    const client = await createClient(server);
    const held = await allOf(client);
    const path = `/applications/${client.clientId}/integrations/${client.integrationId}`;
    await server.call('DELETE', path);
    expect(await statusesOf(client, held)).toEqual([401, 400, 400]);
    await server.call('POST', path);
    expect(await statusesOf(client, held)).toEqual([401, 400, 400]);
  });

  it('is refused after the application was archived, and stays so when it is restored', async () => {
    const client = await createClient(server);
    const held = await allOf(client);
    await server.call('DELETE', `/applications/${client.clientId}`);
    // The client itself is unknown then.
    expect(await statusesOf(client, held)).toEqual([401, 401, 401]);
    await server.call('POST', `/applications/${client.clientId}/restore`);
    expect(await statusesOf(client, held)).toEqual([401, 400, 400]);
  });

  it('is refused after its access was revoked, while another application keeps what it has', async () => {
    const client = await createClient(server);
    const other = await createClient(server);
    const held = await allOf(client);
    const kept = await allOf(other);
    await server.call('POST', `/applications/${client.clientId}/revoke-access`);
    expect(await statusesOf(client, held)).toEqual([401, 400, 400]);
    expect(await statusesOf(other, kept)).toEqual(ALIVE);
  });

  it('is refused after its client has revoked the token', async () => {
    const client = await createClient(server);
    const { access, refresh } = await allOf(client);
    const revoke = { token: refresh.refresh_token, client_id: client.clientId };
    const body = new URLSearchParams(revoke);
    expect((await fetch(`${server.origin}/oauth/revoke`, { method: 'POST', body })).status).toBe(
      200,
    );
    const headers = { authorization: `Bearer ${access}` };
    expect((await fetch(client.mcpUrl, { method: 'POST', headers, body: '{}' })).status).toBe(401);
    expect((await requestToken(server, refresh)).body.error).toBe('invalid_grant');
  });

  it('is refused after the person was removed', async () => {
    const client = await createClient(server);
    const held = await allOf(client);
    expect((await server.call('DELETE', `/members/${memberId}`)).status).toBe(200);
    expect(await statusesOf(client, held)).toEqual([401, 400, 400]);
  });
});
