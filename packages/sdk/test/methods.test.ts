import { type Route, routes } from '@gatehouse/contract/routes';
import { describe, expect, it } from 'vitest';
import { httpOnly } from './support/http-only.ts';
import { operations } from './support/operations.ts';
import { rejection } from './support/rejection.ts';
import { json, startServer } from './support/server.ts';

const withoutBody = /archive|attach|detach|\.revoke$|^groups\.(delete|addMember|removeMember)$/;

describe('methods', () => {
  it.each(operations)('$name makes its request and returns its answer', async (operation) => {
    const { name, call, request, body } = operation;
    const [method, target] = request.split(' ');
    const answer = { items: [], nextCursor: null, added: 'by a later version' };
    const empty = withoutBody.test(name);
    const server = await startServer((response) => {
      if (empty) response.writeHead(204).end();
      else json(response, 200, answer);
    });

    const result = await call(server.client());

    expect(server.received).toHaveLength(1);
    expect(server.received[0]).toMatchObject({
      method,
      target: `/api/v1${target}`,
      headers: { authorization: 'Bearer gh_pat_test', accept: 'application/json' },
      body: body ? JSON.stringify(body) : '',
    });
    expect(server.received[0]?.headers['content-type']).toBe(body && 'application/json');
    if (empty) expect(result).toBeUndefined();
    else if (/\.list(Members)?$/.test(name))
      expect(result).toMatchObject({ items: [], nextCursor: null });
    else expect(result).toEqual(answer);
  });

  it('cover every operation of the contract but those of HTTP alone', () => {
    const inContract = Object.entries(routes).flatMap(([resource, entries]) =>
      Object.entries<Route>(entries).map(([name, { method, path }]) => ({
        name: `${resource}.${name}`,
        endpoint: `${method} ${path}`,
      })),
    );
    const overHttp = inContract.filter(({ endpoint }) => httpOnly().includes(endpoint));
    const covered = [...operations, ...overHttp].map(({ name }) => name);
    expect(covered.sort()).toEqual(inContract.map(({ name }) => name).sort());
  });

  it("send the headers of a call, which cannot replace the client's own", async () => {
    const server = await startServer((response) => json(response, 200, { integration: {} }));
    await server.client().integrations.update(
      'i1',
      { name: 'Renamed' },
      {
        idempotencyKey: 'key-1',
        ifMatch: '"v17"',
        headers: {
          'X-Request-Id': 'mine',
          Authorization: 'Bearer other',
          'content-type': 'text/plain',
        },
      },
    );
    expect(server.received[0]?.headers).toMatchObject({
      'idempotency-key': 'key-1',
      'if-match': '"v17"',
      'x-request-id': 'mine',
      authorization: 'Bearer gh_pat_test',
      'content-type': 'application/json',
    });
  });

  it('hand out status, headers, request id and ETag with the body', async () => {
    const headers = { etag: '"v17"', 'x-request-id': 'request-1', location: '/there' };
    const server = await startServer((response) =>
      json(response, 201, { integration: {} }, headers),
    );
    const response = await server
      .client()
      .integrations.create({ name: 'A', url: 'https://mcp.example.com' })
      .withResponse();
    expect(response).toMatchObject({
      data: { integration: {} },
      status: 201,
      requestId: 'request-1',
      etag: '"v17"',
    });
    expect(response.headers.get('location')).toBe('/there');
  });

  it('reject without sending anything when a header cannot be sent, not quoting it', async () => {
    const server = await startServer((response) => json(response, 200, {}));
    const call = server.client().integrations.get('i1', { headers: { 'x-secret': 'a\nhush' } });
    const error = await rejection(call);
    expect(error).toMatchObject({ name: 'InvalidArgumentError', code: 'invalid_argument' });
    expect(error.message).toContain('x-secret');
    expect(error.stack).not.toContain('hush');
    expect(server.received).toHaveLength(0);
  });
});
