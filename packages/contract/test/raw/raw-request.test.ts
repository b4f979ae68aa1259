import { describe, expect, it } from 'vitest';
import { contract, RawRequestError, rawRequest } from '../../src/index.ts';
import { startServer } from './server.ts';

const baseUrl = 'https://gatehouse.example.com';
const params = { id: '0190a3b4-0000-7000-8000-000000000001' };

const connection = { connected: true, status: 'connected' } as const;
const problem = {
  type: 'urn:gatehouse:problem:not_found',
  title: 'Not found',
  status: 404,
  code: 'not_found',
  requestId: 'request-1',
};

describe('a raw request', () => {
  it('is sent as the route says, with the token, the body and further headers', async () => {
    const server = await startServer(200, JSON.stringify({ connection }));
    const { url, init, parse } = rawRequest(contract.connections.set, {
      baseUrl: server.baseUrl,
      accessToken: 'gh_pat_test',
      headers: { 'Idempotency-Key': 'key-1' },
      params,
      body: { token: 'secret' },
    });
    const answer = await parse(await fetch(url, init));
    expect(answer).toMatchObject({ status: 200, body: { connection } });
    expect(answer.headers.get('x-request-id')).toBe('request-1');
    expect(server.received).toMatchObject([
      {
        method: 'POST',
        url: `/api/v1/integrations/${params.id}/connection`,
        headers: {
          authorization: 'Bearer gh_pat_test',
          'content-type': 'application/json',
          'idempotency-key': 'key-1',
        },
        body: '{"token":"secret"}',
      },
    ]);
  });

  it('has neither a body nor a bearer when none is given', () => {
    const { init } = rawRequest(contract.connections.delete, { baseUrl, params });
    expect(init).toEqual({
      method: 'DELETE',
      headers: { Accept: 'application/json, application/problem+json' },
    });
  });

  it('carries a query, without what is undefined', () => {
    const query = { limit: '10', name: 'a b&c', cursor: undefined };
    const { url } = rawRequest(contract.integrations.list, { baseUrl, query });
    expect(url).toBe(`${baseUrl}/api/v1/integrations?limit=10&name=a+b%26c`);
  });

  it.each([
    [baseUrl, `${baseUrl}/api/v1/me`],
    [`${baseUrl}/`, `${baseUrl}/api/v1/me`],
    [`${baseUrl}/api/v1/`, `${baseUrl}/api/v1/me`],
    [`${baseUrl}/behind/a/path`, `${baseUrl}/behind/a/path/api/v1/me`],
  ])('takes the base URL %s', (given, url) => {
    expect(rawRequest(contract.me.get, { baseUrl: given }).url).toBe(url);
  });

  it('encodes path parameters', () => {
    const { url } = rawRequest(contract.integrations.get, { baseUrl, params: { id: 'a/b?c' } });
    expect(url).toBe(`${baseUrl}/api/v1/integrations/a%2Fb%3Fc`);
  });

  it.each(['', '.', '..', '\ud800'])('refuses the path parameter %j', (id) => {
    const make = () => rawRequest(contract.integrations.get, { baseUrl, params: { id } });
    expect(make).toThrow(RawRequestError);
    expect(make).toThrow('The path parameter "id"');
  });

  it.each(['gatehouse.example.com', 'ftp://a', 'https://user:hunter2@a', 'https://a?b'])(
    'refuses the base URL %s without quoting it',
    (given) => {
      const make = () => rawRequest(contract.me.get, { baseUrl: given });
      expect(make).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
      expect(make).not.toThrow(given);
    },
  );

  it('does not compile with what the contract does not declare', () => {
    // @ts-expect-error the route has a path parameter
    expect(() => rawRequest(contract.connections.get, { baseUrl })).toThrow(RawRequestError);
    // @ts-expect-error the body has no such field
    rawRequest(contract.connections.set, { baseUrl, params, body: { tokens: 'a' } });
    // @ts-expect-error the route takes no query
    rawRequest(contract.connections.get, { baseUrl, params, query: { limit: 1 } });
  });
});

describe('an answer', () => {
  const get = (server: { baseUrl: string }) =>
    rawRequest(contract.connections.get, { baseUrl: server.baseUrl, params });
  const remove = (server: { baseUrl: string }) =>
    rawRequest(contract.connections.delete, { baseUrl: server.baseUrl, params });

  it('is told apart by its status', async () => {
    const { url, init, parse } = get(await startServer(404, JSON.stringify(problem)));
    const answer = await parse(await fetch(url, init));
    if (answer.status === 200) throw new Error(answer.body.connection.status);
    expect(answer.body.code).toBe('not_found');
  });

  it('has no body when none is declared', async () => {
    const { url, init, parse } = remove(await startServer(204, ''));
    const answer = await parse(await fetch(url, init));
    expect(answer).toMatchObject({ status: 204, body: undefined });
  });

  it('holds what the contract declares and nothing else', async () => {
    const body = JSON.stringify({ connection: { ...connection, added: 'later' } });
    const { url, init, parse } = get(await startServer(200, body));
    const answer = await parse(await fetch(url, init));
    expect(answer.body).toEqual({ connection });
  });

  it.each([
    [502, '<html>', 'which the contract does not declare'],
    [404, '<html>', 'with a body that is not JSON'],
    [404, '{"message":"no such page"}', 'with a body that does not match the contract'],
    [200, '{"connection":{}}', 'with a body that does not match the contract'],
  ])('that is not of Gatehouse is refused: %i %s', async (status, body, how) => {
    const { url, init, parse } = get(await startServer(status, body));
    const failure = parse(await fetch(url, init));
    await expect(failure).rejects.toMatchObject({
      code: 'unexpected_response',
      message: `GET /integrations/:id/connection responded ${status}, ${how}.`,
    });
  });
});
