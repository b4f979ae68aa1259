import { describe, expect, it } from 'vitest';
import type { FetchOptions } from '../src/index.ts';
import { rejection } from './support/rejection.ts';
import { json, problem, startServer } from './support/server.ts';

describe('asResponse', () => {
  it('gives the answer with its body unread', async () => {
    const server = await startServer((response) =>
      json(response, 200, { user: { name: 'Ada' } }, { 'x-request-id': 'request-1' }),
    );
    const response = await server.client().me().asResponse();
    expect(response).toBeInstanceOf(Response);
    expect(response.status).toBe(200);
    expect(response.headers.get('x-request-id')).toBe('request-1');
    expect(response.bodyUsed).toBe(false);
    expect(await response.json()).toEqual({ user: { name: 'Ada' } });
  });

  it('gives an answer without a body', async () => {
    const server = await startServer((response) => response.writeHead(204).end());
    const response = await server.client().applications.archive('a1').asResponse();
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
  });

  it('does not look at the body', async () => {
    const server = await startServer((response) => response.writeHead(200).end('<p>'));
    expect(await (await server.client().me().asResponse()).text()).toBe('<p>');
  });

  it('rejects where the call does', async () => {
    const server = await startServer((response) => problem(response, 404, 'not_found'));
    const error = await rejection(server.client().integrations.get('i1').asResponse());
    expect(error).toMatchObject({ name: 'NotFoundError' });
  });

  it('shares one request with awaiting the call', async () => {
    const server = await startServer((response) => json(response, 200, {}));
    const call = server.client().me();
    await Promise.all([call, call.withResponse(), call.asResponse()]);
    expect(server.received).toHaveLength(1);
  });

  it('gives the first page of a list as it came', async () => {
    const body = { items: [{ id: '1' }], nextCursor: 'b' };
    const server = await startServer((response) => json(response, 200, body));
    const response = await server.client().integrations.list().asResponse();
    expect(await response.json()).toEqual(body);
  });
});

describe('fetchOptions', () => {
  it('are merged, those of the call over those of the client, and cannot change the request', async () => {
    const seen: RequestInit[] = [];
    const fetch = async (_: string, init: RequestInit) => {
      seen.push(init);
      return Response.json({});
    };
    const server = await startServer(() => {});
    const fetchOptions: FetchOptions = { cache: 'no-store', dispatcher: 'pool', method: 'PUT' };
    const client = server.client({ fetch, fetchOptions });
    await client.me({ fetchOptions: { cache: 'reload', redirect: 'follow', keepalive: true } });
    expect(seen[0]).toMatchObject({
      cache: 'reload',
      dispatcher: 'pool',
      keepalive: true,
      method: 'GET',
      redirect: 'manual',
    });
    expect(new Headers(seen[0]?.headers).get('authorization')).toBe('Bearer gh_pat_test');
  });
});
