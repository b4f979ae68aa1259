import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/platform/logging.ts';
import {
  addIntegration,
  addWorker,
  connect,
  tokenForItself,
  tokenForPerson,
  UPSTREAM,
  type Worker,
} from '../resources/credentials/support.ts';
import { useServer } from '../support/server.ts';
import { type Parameters, requestToken } from './fixture.ts';

const lines: string[] = [];
const log = createLogger('info', { write: (line) => void lines.push(line) });
const server = useServer({}, log);

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** A worker with its secret, which rotation delivers. */
async function addClient(fields = {}, oauth = {}): Promise<Worker & { secret: string }> {
  const worker = await addWorker(server, fields, oauth);
  const rotate = `/applications/${worker.applicationId}/rotate-secret`;
  return { ...worker, secret: (await server.call('POST', rotate)).body.oauth.clientSecret };
}

/** One with a person who has connected and agreed. */
async function ready(fields = {}) {
  const client = await addClient(fields);
  await connect(server, client);
  return { client, ...(await tokenForPerson(server, client)) };
}

type Client = Awaited<ReturnType<typeof addClient>>;

function exchange(client: Client, token: string, more: Parameters = {}) {
  return requestToken(server, {
    grant_type: GRANT_TYPE,
    client_id: client.applicationId,
    client_secret: client.secret,
    subject_token: token,
    subject_token_type: ACCESS_TOKEN,
    audience: client.integrationId,
    ...more,
  });
}

const errorOf = async (answer: ReturnType<typeof exchange>) => {
  const { status, body } = await answer;
  return [status, body.error];
};

const leasesOf = (applicationId: string) =>
  server.store.db.credentialLease.count({ where: { applicationId } });

describe('token exchange (RFC 8693)', () => {
  it('gives the credential as a bearer token for five minutes, with a lease and no refresh token', async () => {
    const { client, token } = await ready();
    const { status, body } = await exchange(client, token);
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: 'secret-of-the-person',
      issued_token_type: ACCESS_TOKEN,
      token_type: 'Bearer',
      expires_in: expect.any(Number),
    });
    expect(body.expires_in).toBeGreaterThan(290);
    expect(body.expires_in).toBeLessThanOrEqual(300);
    expect(await leasesOf(client.applicationId)).toBe(1);
    const { db } = server.store;
    const kept = await db.oauthToken.findMany({ where: { applicationId: client.applicationId } });
    expect(kept.map(({ kind }) => kind)).toEqual(['access']);
  });

  it('takes the URL of the integration, exactly, or its id; if both, they agree', async () => {
    const { client, token } = await ready();
    const byUrl = { audience: undefined, resource: UPSTREAM };
    expect((await exchange(client, token, byUrl)).status).toBe(200);
    expect((await exchange(client, token, { resource: UPSTREAM })).status).toBe(200);
    const upper = client.integrationId.toUpperCase();
    expect((await exchange(client, token, { audience: upper })).status).toBe(200);
    for (const more of [
      { audience: undefined },
      { audience: undefined, resource: `${UPSTREAM}/` },
      { audience: undefined, resource: `${server.origin}/mcp/${client.applicationId}` },
      { resource: 'https://elsewhere.example/' },
      { audience: 'https://elsewhere.example/' },
      { audience: client.applicationId },
      { audience: [client.integrationId, client.applicationId] },
      { resource: [UPSTREAM, 'https://elsewhere.example/'] },
    ]) {
      expect(await errorOf(exchange(client, token, more))).toEqual([400, 'invalid_target']);
    }
    expect(await leasesOf(client.applicationId)).toBe(3);
  });

  it('asks for the id where two attached integrations have the URL', async () => {
    const { client, token } = await ready();
    const twin = await addIntegration(server);
    await server.call('POST', `/applications/${client.applicationId}/integrations/${twin}`);
    const { body } = await exchange(client, token, { audience: undefined, resource: UPSTREAM });
    expect(body).toMatchObject({ error: 'invalid_target' });
    expect(body.error_description).toContain('audience');
    expect((await exchange(client, token, { resource: UPSTREAM })).status).toBe(200);
  });

  it('names the page where the person connects', async () => {
    const client = await addClient();
    const { token } = await tokenForPerson(server, client);
    const { body } = await exchange(client, token);
    expect(body).toMatchObject({
      error: 'invalid_target',
      connect_url: `${server.origin}/connect?integration=${client.integrationId}`,
    });
  });

  it('refuses what it does not support', async () => {
    const { client, token } = await ready();
    for (const more of [
      { subject_token: undefined },
      { subject_token_type: undefined },
      { subject_token_type: 'urn:ietf:params:oauth:token-type:jwt' },
      { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' },
      { actor_token: token, actor_token_type: ACCESS_TOKEN },
      { scope: 'mcp' },
      { scope: 'openid' },
    ]) {
      expect(await errorOf(exchange(client, token, more))).toEqual([400, 'invalid_request']);
    }
    const same = { requested_token_type: ACCESS_TOKEN };
    expect((await exchange(client, token, same)).status).toBe(200);
  });

  it('takes only a living token of the client itself, with the scope', async () => {
    const { client, token } = await ready();
    const other = await ready();
    const narrow = await tokenForPerson(server, client, { scopes: ['mcp'] });
    for (const subject of [server.owner, `gh_at_${'x'.repeat(43)}`, other.token, narrow.token]) {
      expect(await errorOf(exchange(client, subject))).toEqual([400, 'invalid_request']);
    }
    expect(await errorOf(exchange(client, token, { client_secret: 'wrong' }))).toEqual([
      401,
      'invalid_client',
    ]);
    const audience = `${server.origin}/mcp/${client.applicationId}/${other.client.integrationId}`;
    const elsewhere = await tokenForPerson(server, client, { audience });
    expect(await errorOf(exchange(client, elsewhere.token))).toEqual([400, 'invalid_target']);
  });

  it('is not for clients without the scope, nor for public ones', async () => {
    const plain = await addClient({}, { scopes: ['mcp'] });
    const { token } = await tokenForPerson(server, plain);
    expect(await errorOf(exchange(plain, token))).toEqual([400, 'unauthorized_client']);
    const open = await addWorker(server, {}, { type: 'public' });
    const subject = await tokenForPerson(server, open);
    const without = { ...open, secret: '' };
    const refused = exchange(without, subject.token, { client_secret: undefined });
    expect(await errorOf(refused)).toEqual([400, 'unauthorized_client']);
  });

  it('gives the server token to the application itself, and nothing that is no single bearer token', async () => {
    const shared = await addClient({ authMode: 'server_token', serverToken: 'shared' });
    const itself = await tokenForItself(server, shared);
    expect((await exchange(shared, itself)).body.access_token).toBe('shared');
    const { token } = await tokenForPerson(server, shared);
    expect(await errorOf(exchange(shared, token))).toEqual([400, 'invalid_target']);
    const properties = { key: { type: 'string', 'x-header': 'X-Api-Key' } };
    const keyed = await ready({ credentialSchema: { type: 'object', properties } });
    const { body } = await exchange(keyed.client, keyed.token);
    expect(body.error).toBe('invalid_target');
    expect(body.error_description).toContain('/credential');
    expect(await leasesOf(keyed.client.applicationId)).toBe(0);
    const proxied = await ready({ category: 'gateway_remote_mcp' });
    expect(await errorOf(exchange(proxied.client, proxied.token))).toEqual([400, 'invalid_target']);
  });

  it('is refused by rules about people', async () => {
    const { client, token } = await ready();
    const path = `/integrations/${client.integrationId}/policy`;
    expect((await server.call('PUT', path, { body: { userIds: [] } })).status).toBe(200);
    expect(await errorOf(exchange(client, token))).toEqual([400, 'invalid_target']);
    const refusals = lines.filter((line) => line.includes('refused by policy'));
    expect(refusals.map((line) => JSON.parse(line))).toMatchObject([
      {
        requestId: expect.stringMatching(/^[\w-]+$/),
        integrationId: client.integrationId,
        reasons: ['integration: person'],
      },
    ]);
    expect(refusals.join('')).not.toContain('undefined');
  });

  it('ends with the access', async () => {
    const { client, token } = await ready();
    expect((await exchange(client, token)).status).toBe(200);
    const path = `/applications/${client.applicationId}/revoke-access`;
    expect((await server.call('POST', path)).body.revoked.leases).toBe(1);
    expect(await errorOf(exchange(client, token))).toEqual([400, 'invalid_request']);
  });

  it('is in the metadata', async () => {
    const url = `${server.origin}/.well-known/oauth-authorization-server`;
    const { grant_types_supported } = (await (await fetch(url)).json()) as Record<string, string[]>;
    expect(grant_types_supported).toContain(GRANT_TYPE);
  });
});
