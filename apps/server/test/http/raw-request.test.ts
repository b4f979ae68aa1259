import { contract, rawRequest } from '@gatehouse/contract';
import { expect, it } from 'vitest';
import { useServer } from '../support/server.ts';

const server = useServer();

/** An integration of that mode, and what a raw request to it needs. */
async function createIntegration(authMode: 'user_token' | 'oauth') {
  const { url, init, parse } = rawRequest(contract.integrations.create, {
    baseUrl: server.origin,
    accessToken: server.owner,
    body: { name: 'Tracker', url: 'https://mcp.example.com', authMode },
  });
  const answer = await parse(await fetch(url, init));
  if (answer.status !== 201) throw new Error(answer.body.code);
  const { id } = answer.body.integration;
  return { baseUrl: server.baseUrl, accessToken: server.owner, params: { id } };
}

it('reads, stores and removes a connection', async () => {
  const target = await createIntegration('user_token');
  const set = rawRequest(contract.connections.set, { ...target, body: { token: 'theirs' } });
  const get = rawRequest(contract.connections.get, target);
  const remove = rawRequest(contract.connections.delete, target);

  expect(await set.parse(await fetch(set.url, set.init))).toMatchObject({
    status: 200,
    body: { connection: { connected: true, status: 'connected' } },
  });
  expect(await remove.parse(await fetch(remove.url, remove.init))).toMatchObject({ status: 204 });
  expect(await get.parse(await fetch(get.url, get.init))).toMatchObject({
    status: 200,
    body: { connection: { connected: false, status: 'disconnected' } },
  });
});

it('reads, stores and removes an OAuth configuration', async () => {
  const target = await createIntegration('oauth');
  const body = { provider: 'tracker', issuer: 'https://login.example.com', scopes: ['read'] };
  const put = rawRequest(contract.integrations.putOauth, { ...target, body });
  const get = rawRequest(contract.integrations.getOauth, target);
  const remove = rawRequest(contract.integrations.deleteOauth, target);

  expect(await put.parse(await fetch(put.url, put.init))).toMatchObject({
    status: 200,
    body: { oauth: { ...body, clientSecretConfigured: false } },
  });
  expect(await get.parse(await fetch(get.url, get.init))).toMatchObject({ body: { oauth: body } });
  expect(await remove.parse(await fetch(remove.url, remove.init))).toMatchObject({ status: 204 });
  expect(await get.parse(await fetch(get.url, get.init))).toMatchObject({
    status: 404,
    body: { code: 'oauth_not_configured' },
  });
});

it('gets the problem document of a refusal', async () => {
  const target = await createIntegration('oauth');
  const set = rawRequest(contract.connections.set, { ...target, body: { token: 'theirs' } });
  expect(await set.parse(await fetch(set.url, set.init))).toMatchObject({
    status: 409,
    body: { code: 'auth_mode_mismatch' },
  });
});
