import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';
import type { Browser } from './browser.ts';
import {
  authorize,
  authorizeParameters,
  createClient,
  createPkce,
  obtainTokens,
  type Parameters,
  parametersOf,
  redeemParameters,
  requestToken,
  signedInBrowser,
  type TestClient,
  type TokenAnswer,
} from './fixture.ts';

/** As many as issue from one person who presses a button twice, and a client that retries. */
const PARALLEL = 20;

/** Rounds of a race. More of them: `GATEHOUSE_TEST_RACES=1000`. */
const ROUNDS = Number(process.env.GATEHOUSE_TEST_RACES ?? 20);

const server = useServer();

/** Whether an access token is still accepted; nothing listens upstream. */
async function isAlive({ mcpUrl }: TestClient, accessToken: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const { status } = await fetch(mcpUrl, { method: 'POST', headers, body: '{}' });
  return status !== 401;
}

async function getCode(browser: Browser, client: TestClient): Promise<Parameters> {
  const pkce = createPkce();
  const back = await authorize(server, browser, authorizeParameters(client, pkce));
  return redeemParameters(client, pkce, back.get('code') ?? '');
}

function inParallel(parameters: Parameters): Promise<TokenAnswer[]> {
  return Promise.all(Array.from({ length: PARALLEL }, () => requestToken(server, parameters)));
}

/** Moves the use of every used code and refresh token into the past. */
async function passTime(seconds: number): Promise<void> {
  await server.store.db.$executeRaw`
    UPDATE "OauthToken" SET "consumedAt" = "consumedAt" - ${seconds}::float8 * interval '1 second'
    WHERE "consumedAt" IS NOT NULL`;
}

const refreshOf = (client: TestClient, refreshToken: string): Parameters => ({
  grant_type: 'refresh_token',
  client_id: client.clientId,
  client_secret: client.clientSecret,
  refresh_token: refreshToken,
});

describe('a code', () => {
  it('redeemed many times at once gives tokens once, and these tokens work', async () => {
    const client = await createClient(server);
    const code = await getCode(await signedInBrowser(server), client);
    const answers = await inParallel(code);
    const [winner, ...others] = answers.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    for (const { status, body } of answers) {
      if (status !== 200) expect(body.error).toBe('invalid_grant');
    }
    expect(await isAlive(client, winner?.body.access_token)).toBe(true);
  });

  it('used again after 3 s ends the grant, even once it has expired', async () => {
    for (const hasExpired of [false, true]) {
      const client = await createClient(server);
      const code = await getCode(await signedInBrowser(server), client);
      const { body } = await requestToken(server, code);
      expect(await isAlive(client, body.access_token)).toBe(true);
      await passTime(4);
      if (hasExpired) {
        await server.store.db.$executeRaw`
          UPDATE "OauthToken" SET "expiresAt" = now() - interval '1 hour' WHERE "kind" = 'code'`;
      }
      const replay = await requestToken(server, code);
      expect(replay).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
      expect(await isAlive(client, body.access_token)).toBe(false);
      const refreshed = await requestToken(server, refreshOf(client, body.refresh_token));
      expect(refreshed.body.error).toBe('invalid_grant');
    }
  });

  it('used again by another client does not end the grant', async () => {
    const client = await createClient(server);
    const other = await createClient(server);
    const code = await getCode(await signedInBrowser(server), client);
    const { body } = await requestToken(server, code);
    await passTime(4);
    const stolen = await requestToken(server, { ...code, client_id: other.clientId });
    expect(stolen.body.error).toBe('invalid_grant');
    expect(await isAlive(client, body.access_token)).toBe(true);
  });
});

describe('a refresh token of a public client', () => {
  it('used many times at once gives every request the same answer', async () => {
    const client = await createClient(server);
    const { body } = await obtainTokens(server, await signedInBrowser(server), client);
    const answers = await inParallel(refreshOf(client, body.refresh_token));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const pairs = answers.map((a) => `${a.body.access_token} ${a.body.refresh_token}`);
    expect(new Set(pairs).size).toBe(1);
    expect(await isAlive(client, answers[0]?.body.access_token)).toBe(true);
    const next = await requestToken(server, refreshOf(client, answers[0]?.body.refresh_token));
    expect(next.status).toBe(200);
  });

  it('is not given the answer to another request', async () => {
    const client = await createClient(server, { scopes: ['mcp', 'extra'] });
    const browser = await signedInBrowser(server);
    const { body } = await obtainTokens(server, browser, client, { scope: 'mcp extra' });
    const refresh = refreshOf(client, body.refresh_token);
    expect((await requestToken(server, refresh)).status).toBe(200);
    const narrower = await requestToken(server, { ...refresh, scope: 'mcp' });
    expect(narrower).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('used again after 10 s ends the grant', async () => {
    const client = await createClient(server);
    const { body } = await obtainTokens(server, await signedInBrowser(server), client);
    const refresh = refreshOf(client, body.refresh_token);
    const next = await requestToken(server, refresh);
    await passTime(11);
    expect((await requestToken(server, refresh)).body.error).toBe('invalid_grant');
    expect(await isAlive(client, next.body.access_token)).toBe(false);
  });
});

describe('a refresh token of a confidential client', () => {
  it('stays the same', async () => {
    const client = await createClient(server, { type: 'confidential' });
    const { body } = await obtainTokens(server, await signedInBrowser(server), client);
    const answers = await inParallel(refreshOf(client, body.refresh_token));
    for (const { status, body: answer } of answers) {
      expect({ status, token: answer.refresh_token }).toEqual({
        status: 200,
        token: body.refresh_token,
      });
      expect(await isAlive(client, answer.access_token)).toBe(true);
    }
  });
});

describe('after the response', () => {
  it('to archiving the application no token works, whatever was under way', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const client = await createClient(server);
      const browser = await signedInBrowser(server);
      const { body } = await obtainTokens(server, browser, client);
      const code = await getCode(browser, client);
      const refresh = refreshOf(client, body.refresh_token);
      const requests = Promise.all([requestToken(server, code), requestToken(server, refresh)]);
      await server.call('DELETE', `/applications/${client.clientId}`);
      const answers = await requests;
      const tokens = [body, ...answers.map((answer) => answer.body)];
      for (const { access_token: token } of tokens) {
        if (token !== undefined) expect(await isAlive(client, token)).toBe(false);
      }
    }
  });

  it('to rotating the secret the old one gets no token', async () => {
    const client = await createClient(server, { type: 'confidential' });
    const browser = await signedInBrowser(server);
    let { clientSecret } = client;
    for (let round = 0; round < ROUNDS; round += 1) {
      const current = { ...client, clientSecret };
      const code = await getCode(browser, current);
      const request = requestToken(server, code);
      const path = `/applications/${client.clientId}/rotate-secret`;
      const rotated = await server.call('POST', path);
      clientSecret = rotated.body.oauth.clientSecret;
      const early = await request;
      expect([200, 400, 401]).toContain(early.status);
      if (early.body.error === 'invalid_client') expect(early.status).toBe(401);
      // The old secret opens nothing from now on, whether or not the code is used up.
      const late = await requestToken(server, code);
      expect(late).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    }
  });
});

it('a secret that is rotated while a request runs is refused with a challenge, as any wrong one', async () => {
  const client = await createClient(server, { type: 'confidential' });
  const credentials = `${client.clientId}:${client.clientSecret}`;
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  const ask = () =>
    fetch(`${server.origin}/oauth/token`, {
      method: 'POST',
      headers: { authorization },
      body: parametersOf({ grant_type: 'client_credentials' }),
    });
  expect((await ask()).status).toBe(200);
  // Not announced, so this node authenticates the client by the secret that it knows.
  const where = { id: client.clientId };
  await server.store.db.application.update({ where, data: { secretHash: randomBytes(32) } });
  const refused = await ask();
  expect(await refused.json()).toMatchObject({ error: 'invalid_client' });
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toMatch(/^Basic realm="http/);
});
