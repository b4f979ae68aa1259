import { createServer } from 'node:net';
import { createRecordingFetch, findFreePort, type LaunchedGatehouse } from '@gatehouse/harness';
import { startIdentityProvider, startScriptedUpstream, startUpstream } from '@gatehouse/testing';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Api, createApi } from './support/api.ts';
import { whoami } from './support/connected-people.ts';
import { noteSecretsOf, startConnecting } from './support/connecting.ts';
import { addMember, createRoute, randomSecret } from './support/routes.ts';
import { startServer } from './support/servers.ts';
import { createWitness, type SecretUse } from './support/witness.ts';

vi.setConfig({ testTimeout: 240_000 });

const witness = createWitness();
const secret = (label: string, use?: SecretUse) => witness.secret(label, randomSecret(), use);
let server: LaunchedGatehouse;
let api: Api;

beforeAll(async () => {
  const key = witness.secret('the encryption key', Buffer.alloc(32, 'k').toString('base64'));
  const env = {
    GATEHOUSE_LOG_LEVEL: 'trace',
    GATEHOUSE_ENCRYPTION_KEYS: `test:${key}`,
    GATEHOUSE_METRICS_TOKEN: secret('the metrics token'),
  };
  server = await startServer({ env, bootstrapToken: secret('the owner token') }, witness);
  api = createApi(server, witness);
  await createApi(server).expect(200, 'GET', '//metrics', { token: env.GATEHOUSE_METRICS_TOKEN });
});

test('the search for secrets finds one in any place, in any of its forms', () => {
  const other = createWitness();
  const value = other.secret('the secret', randomSecret());
  const base64 = Buffer.from(value).toString('base64');
  const holding = (text: string) => ({
    hasWritten: (part: string) => text.includes(part),
    hasReceived: (part: string) => text.includes(part),
  });
  const headers = new Headers({ etag: value });
  other.process('a log', holding(`{"msg":"${value}"}`));
  other.client('a client', holding(`header ${base64}`));
  other.upstream('an upstream', holding(`?key=${value}`));
  other.answer('an answer', { status: 200, headers, body: undefined, text: '' });
  other.answer('another', { status: 200, headers: new Headers(), body: undefined, text: value });
  other.process('a clean log', holding('nothing'));
  expect(other.leaks()).toEqual([
    'the secret stands in log: a log',
    'the secret stands in client: a client',
    'the secret stands in upstream: an upstream',
    'the secret stands in management: an answer',
    'the secret stands in management: another',
  ]);
});

describe('a secret is not repeated', () => {
  test('when it stands where a management call has no place for it', async () => {
    const given = (label: string, use?: SecretUse) => secret(`given as ${label}`, use);
    // A problem names the path it is about, without the query.
    const inPath: SecretUse = { mayBeIn: ['management'] };
    const url = 'https://mcp.example.com/mcp';
    const attempts: [number, Promise<{ status: number }>][] = [
      [401, api.call('GET', '/me', { token: given('an unknown token') })],
      [401, authorize(`Basic ${given('a password')}`)],
      [401, authorize(`Bearer ${given('one of two tokens')} ${given('the other')}`)],
      [401, api.call('GET', `/me?access_token=${given('a query parameter')}`, { token: null })],
      [400, api.call('GET', `/integrations/${given('an id', inPath)}`)],
      [400, api.call('GET', `/integrations?cursor=${given('a cursor')}`)],
      [400, api.call('GET', `/integrations?limit=${given('a limit')}`)],
      [404, api.call('GET', `/${given('a path', inPath)}`)],
      [400, sendRaw(`{"name":"x","url":"${url}","serverToken":"${given('broken JSON')}"`)],
      [400, create({ name: 'x', url, serverTokn: given('a misspelt field') })],
      [400, create({ name: 'x', url, serverToken: `${given('a token of two lines')}\r\nX: y` })],
      [400, create({ name: 'x', url, serverToken: { token: given('an object') } })],
      [400, create({ name: 'x', url: `https://me:${given('a password in a url')}@example.com` })],
      [400, create({ name: 'x', url: `javascript:${given('a script')}` })],
      [400, create({ name: `x\u0000${given('a name')}`, url })],
      [400, create({ name: 'x', url, authMode: given('a mode') })],
      [400, create({ name: 'x', url }, { 'idempotency-key': `${given('a key')} and a blank` })],
    ];
    for (const [index, [status, attempt]] of attempts.entries()) {
      expect([index, (await attempt).status]).toEqual([index, status]);
    }
  });

  test('once it is stored, and shown once if it is ours', async () => {
    const oauth = {
      provider: 'example',
      issuer: 'https://id.example.com',
      scopes: [],
      clientId: 'me',
      clientSecret: secret('the client secret at the provider'),
      tokenParams: { audience: secret('a token parameter') },
    };
    const { integrationId, applicationId } = await createRoute(api, {
      url: 'https://mcp.example.com/mcp',
      authMode: 'oauth',
    });
    await api.expect(200, 'PUT', `/integrations/${integrationId}/oauth`, { body: oauth });
    await api.expect(200, 'GET', `/integrations/${integrationId}/oauth`);
    await api.expect(200, 'PATCH', `/integrations/${integrationId}`, {
      body: { authMode: 'server_token', serverToken: secret('a server token') },
    });

    const created = await api.expect(201, 'POST', '/applications', {
      body: {
        name: 'Confidential',
        oauth: { type: 'confidential', redirectUris: ['https://example.com/callback'] },
      },
    });
    deliver('the first application secret', created.body.oauth.clientSecret, created);
    const { id } = created.body.application;
    const rotated = await api.expect(200, 'POST', `/applications/${id}/rotate-secret`);
    deliver('the second application secret', rotated.body.oauth.clientSecret, rotated);
    await api.expect(200, 'PATCH', `/applications/${id}/oauth`, { body: { scopes: ['mcp'] } });

    const body = { email: 'new@example.com', name: 'New', role: 'member' };
    const invited = await api.expect(201, 'POST', '/members', { body });
    deliver('the invitation', invited.body.invitation, invited);
    const token = await api.expect(201, 'POST', '/tokens', {
      token: invited.body.invitation,
      body: { name: 'laptop', scopes: ['mcp'] },
    });
    deliver('the personal access token', token.body.secret, token);

    const reads = [`/applications/${id}`, `/applications/${id}/oauth`, '/tokens', '/members'];
    const more = ['/integrations', '/applications?all=true', `/applications/${applicationId}`];
    for (const path of [...reads, ...more, `/integrations/${integrationId}`]) {
      await api.expect(200, 'GET', path);
    }
  });

  test('when an upstream cannot be reached, breaks the protocol or refuses', async () => {
    const broken = createServer((socket) => socket.end('220 no HTTP here\r\n\r\n'));
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void broken.close());
    const address = broken.address();
    const brokenPort = typeof address === 'object' ? address?.port : undefined;
    const refusing = await startScriptedUpstream();
    onTestFinished(() => refusing.close());
    witness.upstream('the refusing upstream', refusing);
    const challenge = secret("a secret in the upstream's challenge");
    const text = secret("a secret in the upstream's refusal");
    refusing.otherwise((exchange) =>
      exchange.respond({
        status: 401,
        headers: { 'WWW-Authenticate': `Bearer realm="${challenge}"`, 'Set-Cookie': challenge },
        body: text,
      }),
    );

    const origins = {
      unreachable: `http://127.0.0.1:${await findFreePort()}`,
      broken: `http://127.0.0.1:${brokenPort}`,
      refusing: new URL(refusing.url).origin,
    };
    for (const [name, origin] of Object.entries(origins)) {
      const inUrl = secret(`a key in the url of the ${name} upstream`, {
        mayBeIn: ['management', 'upstream'],
      });
      const route = await createRoute(api, {
        url: `${origin}/mcp?key=${inUrl}`,
        authMode: 'server_token',
        serverToken: secret(`the server token of the ${name} upstream`, { mayBeIn: ['upstream'] }),
      });
      const validated = await api.expect(
        200,
        'POST',
        `/integrations/${route.integrationId}/validate`,
      );
      expect(validated.body.status).toBe('invalid');
      expect(validated.body.message).not.toContain(inUrl);
      const unknown = secret(`a session id for the ${name} upstream`);
      const inBody = secret(`a body for the ${name} upstream`, { mayBeIn: ['upstream'] });
      const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
      const isRefusing = name === 'refusing';
      expect(await post(route.path, ping)).toBe(isRefusing ? 200 : 502);
      expect(await post(route.path, `{"${inBody}`)).toBe(400);
      expect(await post(route.path, '{}', { 'mcp-session-id': unknown })).toBe(404);
      const bearer = `Bearer ${secret(`a wrong token for the ${name} upstream`)}`;
      expect(await post(route.path, '{}', { authorization: bearer })).toBe(401);
    }
  });
});

// What the server wrote is searched for all of it when this file has ended.
test('a person connects an account, and what is secret about it is in no log, whatever goes wrong', async () => {
  const users = [{ sub: 'person-1', email: 'person-1@example.com', name: 'Person 1' }];
  const provider = await startIdentityProvider({ users });
  onTestFinished(() => provider.close());
  const upstream = await startUpstream({ oauth: provider });
  onTestFinished(() => upstream.close());
  const owner = createApi(server);
  const oauth = { scopes: [] };
  const route = await createRoute(owner, { url: upstream.url, authMode: 'oauth', oauth });
  const member = await addMember(owner);
  const { browser, leave, comeBack } = await startConnecting(server, route, member);
  const agree = (url: URL) => provider.approve(url, { sub: 'person-1' });

  const state = (await leave()).searchParams.get('state') ?? '';
  for (const code of ['a-code-that-the-provider-never-gave', 'another-code-never-given']) {
    const answer = new URL(`/oauth/callback/${route.integrationId}`, server.origin);
    answer.search = String(new URLSearchParams({ code, state, iss: provider.issuer }));
    await comeBack(answer, 400);
  }

  const misnamed = await agree(await leave());
  misnamed.searchParams.set('iss', 'https://another.example');
  await comeBack(misnamed, 400);

  const broken = await leave();
  const fault = provider.fault('token', { kind: 'html' });
  await comeBack(await agree(broken), 503);
  fault.clear();

  const last = await comeBack(await agree(await leave()), 200);
  expect(last.text).toContain('Connected as person-1');
  expect(await whoami(server, route, member)).toEqual({ sub: 'person-1' });
  const connection = `/integrations/${route.integrationId}/connection`;
  await owner.expect(204, 'DELETE', connection, { token: member.token });
  await expect.poll(() => provider.requests('revocation').length).toBeGreaterThan(0);

  noteSecretsOf(provider, browser);
});

test('no secret appears where it must not', async () => {
  await api.expect(200, 'GET', '//metrics');
  expect((await server.stop()).code).toBe(0);
  const { secrets, log, client, management } = witness.counts();
  expect([secrets > 40, log, client > 10, management > 40]).toEqual([true, 1, true, true]);
  expect(witness.leaks()).toEqual([]);
});

function deliver(label: string, value: string, deliveredBy: SecretUse['deliveredBy']): void {
  witness.secret(label, value, deliveredBy === undefined ? {} : { deliveredBy });
}

function authorize(authorization: string): Promise<{ status: number }> {
  return api.call('GET', '/me', { token: null, headers: { authorization } });
}

function create(body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return api.call('POST', '/integrations', { body, headers });
}

/** Sends a body as it is. */
async function sendRaw(body: string): Promise<{ status: number }> {
  const recording = createRecordingFetch();
  witness.client('a client of the management API', recording);
  const response = await recording.fetch(`${server.baseUrl}/integrations`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.bootstrapToken}`,
      'content-type': 'application/json',
    },
    body,
  });
  await response.text();
  return response;
}

/** The status of the gateway's answer. */
async function post(
  path: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const recording = createRecordingFetch();
  witness.client(`a client of ${path}`, recording);
  const response = await recording.fetch(server.origin + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.bootstrapToken}`,
      'content-type': 'application/json',
      ...headers,
    },
    body,
  });
  await response.text();
  return response.status;
}
