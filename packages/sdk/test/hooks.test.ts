import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { RequestEvent, ResponseEvent, RetryEvent } from '../src/index.ts';
import { fakeClock } from './support/clock.ts';
import { rejection } from './support/rejection.ts';
import { json, problem, startServer, type TestServer } from './support/server.ts';

describe('the hooks', () => {
  it('are called along every attempt, in order', async () => {
    const events: string[] = [];
    const clock = fakeClock();
    const server: TestServer = await startServer((response) => {
      clock.pass(12);
      if (server.received.length === 1) problem(response, 503, 'overloaded');
      else json(response, 200, { integration: {} }, { 'x-request-id': 'request-2' });
    });
    const about = ({ method, route, path, attempt }: RequestEvent | ResponseEvent | RetryEvent) =>
      `${method} ${route} ${path} ${attempt}`;
    const client = server.client({
      clock,
      maxRetries: 2,
      onRequest: (event) => events.push(`request ${about(event)}`),
      onResponse: (event) =>
        events.push(`${event.status} ${about(event)} ${event.requestId} ${event.duration} ms`),
      onRetry: (event) => events.push(`retry ${about(event)} ${event.error.code} ${event.delay}`),
    });
    await client.integrations.get('i1');
    expect(events).toEqual([
      'request GET /integrations/:id /integrations/i1 1',
      '503 GET /integrations/:id /integrations/i1 1 request-1 12 ms',
      'retry GET /integrations/:id /integrations/i1 1 overloaded 500',
      'request GET /integrations/:id /integrations/i1 2',
      '200 GET /integrations/:id /integrations/i1 2 request-2 12 ms',
    ]);
  });

  it('may add headers, and can neither see the token nor change the own ones', async () => {
    let seen = '';
    const server = await startServer((response) => json(response, 201, { integration: {} }));
    const client = server.client({
      onRequest({ headers }) {
        seen = inspect(Object.fromEntries(headers));
        headers.set('traceparent', '00-1-2-01');
        headers.set('authorization', 'Bearer other');
        headers.delete('idempotency-key');
      },
    });
    const body = { name: 'A', url: 'https://mcp.example.com' };
    await client.integrations.create(body, {
      idempotencyKey: 'key-1',
      headers: { authorization: 'Bearer mine' },
    });
    expect(server.received[0]?.headers).toMatchObject({
      traceparent: '00-1-2-01',
      authorization: 'Bearer gh_pat_test',
      'idempotency-key': 'key-1',
    });
    expect(seen).toContain('key-1');
    expect(seen).not.toMatch(/gh_pat_test|authorization/);
  });

  it.each(['onRequest', 'onResponse', 'onRetry'])(
    'reject the call when %s throws',
    async (hook) => {
      const mistake = new Error('a mistake of the caller');
      const server = await startServer((response) => problem(response, 503, 'overloaded'));
      const client = server.client({
        clock: fakeClock(),
        maxRetries: 2,
        [hook]: () => {
          throw mistake;
        },
      });
      expect(await rejection(client.me())).toBe(mistake);
      expect(server.received.length).toBeLessThan(2);
    },
  );

  it('hear nothing of an answer that came after the timeout', async () => {
    const statuses: number[] = [];
    const arrivals: (() => void)[] = [];
    const fetch = () =>
      new Promise<Response>((resolve) => {
        arrivals.push(() => resolve(Response.json({})));
      });
    const server = await startServer(() => {});
    const client = server.client({
      fetch,
      timeout: 20,
      onResponse: (e) => statuses.push(e.status),
    });
    await rejection(client.me());
    for (const arrive of arrivals) arrive();
    await new Promise(setImmediate);
    expect(arrivals).toHaveLength(1);
    expect(statuses).toEqual([]);
  });
});
