import { inspect } from 'node:util';
import { type Route, routes } from '@gatehouse/contract/routes';
import { describe, expect, it } from 'vitest';
import { type ApiError, Gatehouse, type InvalidResponseError } from '../src/index.ts';
import { fakeClock } from './support/clock.ts';
import { httpOnly } from './support/http-only.ts';
import { rejection } from './support/rejection.ts';
import { json, problem, startServer } from './support/server.ts';

describe('request', () => {
  it('covers endpoints of the route table', () => {
    const table = Object.values(routes).flatMap((operations) =>
      Object.values<Route>(operations).map(({ method, path }) => `${method} ${path}`),
    );
    expect(httpOnly()).toContain('GET /grants');
    expect(httpOnly().filter((endpoint) => !table.includes(endpoint))).toEqual([]);
  });

  it('fills the path, sends query and body, and returns the body of the response', async () => {
    const server = await startServer((response, { method }) => {
      if (method === 'DELETE') response.writeHead(204).end();
      else json(response, 200, { connection: { connected: true } });
    });
    const client = server.client();
    const params = { id: 'a/b' };
    const body = { token: 'secret-token' };
    const path = '/integrations/:id/connection';
    const { connection } = await client.request('POST', path, { params, body });
    expect(connection.connected).toBe(true);
    expect(await client.request('DELETE', path, { params })).toBeUndefined();
    await client.request('GET', '/grants', { query: { limit: 2 } });
    await client.request('GET', '/openapi.json');
    expect(server.received.map(({ method, target, body }) => [method, target, body])).toEqual([
      ['POST', '/api/v1/integrations/a%2Fb/connection', JSON.stringify(body)],
      ['DELETE', '/api/v1/integrations/a%2Fb/connection', ''],
      ['GET', '/api/v1/grants?limit=2', ''],
      ['GET', '/api/v1/openapi.json', ''],
    ]);
  });

  it('has retries with one idempotency key, hooks, and the refreshing of tokens', async () => {
    const answers = [503, 401, 201];
    const server = await startServer((response) => {
      const status = answers.shift() ?? 500;
      if (status === 201) json(response, 201, { authorizationUrl: 'https://x.example' });
      else problem(response, status, 'some_code');
    });
    const routesSeen: string[] = [];
    let tokens = 0;
    const client = new Gatehouse({
      baseUrl: server.origin,
      accessToken: async () => `token-${++tokens}`,
      onRequest: ({ route }) => routesSeen.push(route),
      ...{ clock: fakeClock() },
    });
    const path = '/integrations/:id/connection/authorize';
    await client.request('POST', path, { params: { id: 'i1' }, body: {} });
    expect(routesSeen).toEqual([path, path, path]);
    const keys = server.received.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token-1',
      'Bearer token-1',
      'Bearer token-2',
    ]);
  });
});

describe('withOptions', () => {
  it('keeps what is not given, adds headers, and shares the token', async () => {
    const server = await startServer((response) => json(response, 200, { integration: {} }));
    let tokens = 0;
    const first = new Gatehouse({
      baseUrl: server.origin,
      accessToken: async () => `token-${++tokens}`,
      headers: { 'X-One': '1', 'X-Both': 'first' },
    });
    await first.integrations.get('i1');
    const second = first.withOptions({ headers: { 'x-two': '2', 'X-Both': 'second' } });
    await second.integrations.get('i1');
    await second.withOptions({ accessToken: 'other' }).integrations.get('i1');
    const [one, two, three] = server.received.map(({ headers }) => headers);
    expect(one).toMatchObject({ 'x-one': '1', 'x-both': 'first', authorization: 'Bearer token-1' });
    expect(one).not.toHaveProperty('x-two');
    const added = { 'x-one': '1', 'x-two': '2', 'x-both': 'second' };
    expect(two).toMatchObject({ ...added, authorization: 'Bearer token-1' });
    expect(three).toMatchObject({ ...added, authorization: 'Bearer other' });
  });

  it('says which option is wrong', async () => {
    const client = new Gatehouse({ baseUrl: 'http://localhost', accessToken: 'x' });
    expect(() => client.withOptions({ timeout: -1 })).toThrow('timeout');
  });
});

describe('the headers of every request', () => {
  it('name the package, unless the program names itself', async () => {
    const server = await startServer((response) => json(response, 200, { integration: {} }));
    const client = server.client({ headers: { 'X-Job': 'nightly' } });
    await client.integrations.get('i1');
    await client.integrations.get('i1', { headers: { 'User-Agent': 'job/1', 'x-job': 'daily' } });
    const [first, second] = server.received.map(({ headers }) => headers);
    expect(first?.['user-agent']).toMatch(/^gatehouse-sdk\/\d+\.\d+\.\d+$/);
    expect(first?.['x-job']).toBe('nightly');
    expect(second).toMatchObject({ 'user-agent': 'job/1', 'x-job': 'daily' });
  });

  it('cannot replace those of the client, nor its token', async () => {
    const server = await startServer((response) => json(response, 200, { integration: {} }));
    const headers = { Authorization: 'Bearer other', Accept: 'text/html' };
    await server.client({ headers }).integrations.get('i1');
    const own = { authorization: 'Bearer gh_pat_test', accept: 'application/json' };
    expect(server.received[0]?.headers).toMatchObject(own);
  });
});

describe('a response that is no Gatehouse’s', () => {
  it('has its method, its URL without the query, and its body, which is not shown', async () => {
    const page = '<h1>Bad gateway of proxy-7</h1>';
    const server = await startServer((response) =>
      response.writeHead(502, { 'content-type': 'text/html' }).end(page),
    );
    const calls = server.client().integrations;
    const error = (await rejection(calls.list({ name: 'secret' }))) as ApiError;
    const url = `${server.origin}/api/v1/integrations`;
    expect(error).toMatchObject({ status: 502, method: 'GET', url, body: page });
    expect(inspect(error) + JSON.stringify(error)).not.toContain('proxy-7');
  });

  it('has them too when it looks like a success', async () => {
    const server = await startServer((response) => response.writeHead(200).end('proxy-7'));
    const error = (await rejection(server.client().integrations.get('i1'))) as InvalidResponseError;
    const url = `${server.origin}/api/v1/integrations/i1`;
    expect(error).toMatchObject({ status: 200, method: 'GET', url, body: 'proxy-7' });
    expect(inspect(error)).not.toContain('proxy-7');
  });

  it('has no separate body when it is a problem', async () => {
    const server = await startServer((response) => problem(response, 404, 'not_found'));
    const error = (await rejection(server.client().integrations.get('i1'))) as ApiError;
    expect(error.body).toBeUndefined();
    expect(error.method).toBe('GET');
  });
});
