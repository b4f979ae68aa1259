import { describe, expect, it } from 'vitest';
import type { RetryEvent } from '../src/index.ts';
import { rejection } from './support/rejection.ts';
import { json, problem, startServer } from './support/server.ts';

/** A server that accepts one token, and counts the requests with others. */
function accepting(accepted: () => string) {
  return startServer((response, { headers }) => {
    if (headers.authorization === `Bearer ${accepted()}`) json(response, 200, { integration: {} });
    else problem(response, 401, 'unauthenticated');
  });
}

function provider(...tokens: string[]) {
  let calls = 0;
  const accessToken = async () => tokens[Math.min(calls++, tokens.length - 1)] ?? '';
  return { accessToken, calls: () => calls };
}

describe('an accessToken function', () => {
  it('is called once for many calls, at the same time too', async () => {
    const { accessToken, calls } = provider('t1');
    const server = await accepting(() => 't1');
    const client = server.client({ accessToken });
    await Promise.all([client.me(), client.me(), client.me()]);
    await client.me();
    expect(calls()).toBe(1);
  });

  it('is called again once its token is refused, and the request is sent once more', async () => {
    const { accessToken, calls } = provider('t1', 't2');
    const retries: RetryEvent[] = [];
    const server = await accepting(() => 't2');
    const client = server.client({ accessToken, onRetry: (event) => retries.push(event) });
    await client.integrations.validate('i1');
    await client.me();
    expect(calls()).toBe(2);
    expect(server.received).toHaveLength(3);
    expect(retries).toMatchObject([{ attempt: 1, delay: 0, error: { status: 401 } }]);
  });

  it('is called once for many calls refused at the same time', async () => {
    const { accessToken, calls } = provider('t1', 't2');
    let accepted = 't1';
    const server = await accepting(() => accepted);
    const client = server.client({ accessToken });
    await client.me();
    accepted = 't2';
    await Promise.all(Array.from({ length: 10 }, () => client.me()));
    expect(calls()).toBe(2);
  });

  it('fails if the second token is refused too', async () => {
    const { accessToken, calls } = provider('t1', 't2', 't3');
    const server = await accepting(() => 'other');
    const error = await rejection(server.client({ accessToken }).me());
    expect(error).toMatchObject({ name: 'AuthenticationError', status: 401 });
    expect(calls()).toBe(2);
    expect(server.received).toHaveLength(2);
  });

  it('keeps the idempotency key when the request is sent once more', async () => {
    const { accessToken } = provider('t1', 't2');
    const server = await accepting(() => 't2');
    await server.client({ accessToken }).applications.rotateSecret('a1');
    const [first, second] = server.received.map(({ headers }) => headers['idempotency-key']);
    expect(first).toBeDefined();
    expect(second).toBe(first);
  });

  it('that fails is an AccessTokenError, and is called again for the next call', async () => {
    const cause = new Error('no network');
    let isDown = true;
    const accessToken = async () => {
      if (isDown) throw cause;
      return 't1';
    };
    const server = await accepting(() => 't1');
    const client = server.client({ accessToken, maxRetries: 2 });
    const error = await rejection(client.me());
    expect(error).toMatchObject({ name: 'AccessTokenError', code: 'access_token_failed', cause });
    expect(server.received).toHaveLength(0);
    isDown = false;
    await client.me();
  });

  it('that gives what cannot be sent is refused, unquoted', async () => {
    const server = await accepting(() => 't1');
    const error = await rejection(server.client({ accessToken: async () => 'hush\n' }).me());
    expect(error.name).toBe('InvalidArgumentError');
    expect(error.stack).not.toContain('hush');
    expect(server.received).toHaveLength(0);
  });

  it('that never answers is ended by the timeout', async () => {
    const server = await accepting(() => 't1');
    const client = server.client({ accessToken: () => new Promise(() => {}), timeout: 20 });
    expect(await rejection(client.me())).toMatchObject({ name: 'TimeoutError' });
  });
});

it('an accessToken text that is refused is not sent twice', async () => {
  const server = await accepting(() => 'other');
  const error = await rejection(server.client({ maxRetries: 2 }).me());
  expect(error).toMatchObject({ name: 'AuthenticationError' });
  expect(server.received).toHaveLength(1);
});
