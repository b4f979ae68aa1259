import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { openRoute } from '../lib/gatehouse.mjs';
import { check, echoCall } from '../lib/mcp.mjs';
import { openOauthRoute, signIn } from './credentials.mjs';
import { openWorker } from './gateway.mjs';

export const CALL = 'a gateway call';
export const REFRESH = 'a gateway call that refreshes an expired token';

/** Seconds that an access token of the provider lasts. */
export const EXPIRES_IN = 1;

/**
 * Requests of which `files-of-a-request.mjs` counts the files: for a Gatehouse, an upstream and a provider
 * each gives a function that prepares one request and returns the function that sends it.
 */
export const REQUESTS = {
  [CALL]: prepareCalls,
  'a PATCH of an integration': preparePatches,
  'a code exchange': prepareExchanges,
  [REFRESH]: prepareRefreshes,
};

async function prepareCalls(gatehouse, upstream) {
  const path = await openRoute(gatehouse, upstream);
  const endpoint = { ...gatehouse, path };
  const { sessionId, connection } = await openWorker(endpoint);
  return async () => async () => {
    const { bytes, expected } = echoCall(endpoint, sessionId);
    check(await connection.exchange(bytes), expected);
  };
}

async function preparePatches(gatehouse, upstream) {
  const path = await openRoute(gatehouse, upstream);
  const [, , , id] = path.split('/');
  let count = 0;
  return async () => {
    count += 1;
    return () => gatehouse.api('PATCH', `/integrations/${id}`, { name: `Upstream ${count}` });
  };
}

/** By a public client that the person has agreed to before. */
async function prepareExchanges(gatehouse, upstream) {
  const codes = [];
  const client = createServer((request, response) => {
    codes.push(new URL(request.url, 'http://client').searchParams.get('code'));
    response.end();
  }).listen(0, '127.0.0.1');
  await once(client, 'listening');
  const redirectUri = `http://127.0.0.1:${client.address().port}/callback`;
  const origin = `http://127.0.0.1:${gatehouse.port}`;
  const path = await openRoute(gatehouse, upstream);
  const [, , clientId] = path.split('/');
  const browser = await signIn(gatehouse);
  return async () => {
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      ...{ client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope: 'mcp' },
      ...{ resource: origin + path, code_challenge_method: 'S256' },
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    });
    const page = await browser.open(`/oauth/authorize?${query}`);
    if (page !== '') await browser.submit(page, { decision: 'allow' });
    const body = new URLSearchParams({
      ...{ grant_type: 'authorization_code', client_id: clientId, redirect_uri: redirectUri },
      ...{ code: codes.pop(), code_verifier: verifier },
    });
    return async () => {
      const response = await fetch(`${origin}/oauth/token`, { method: 'POST', body });
      if (response.status !== 200) throw new Error(`token: ${await response.text()}`);
      await response.arrayBuffer();
    };
  };
}

async function prepareRefreshes(gatehouse, upstream, provider) {
  const path = await openOauthRoute(gatehouse, upstream, provider);
  const endpoint = { ...gatehouse, path };
  const { sessionId, connection } = await openWorker(endpoint);
  return async () => {
    await delay(EXPIRES_IN * 1_000 + 100);
    return async () => {
      const { bytes, expected } = echoCall(endpoint, sessionId);
      check(await connection.exchange(bytes), expected);
    };
  };
}
