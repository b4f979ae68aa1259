import type { Exchange } from '@gatehouse/testing';
import { describe, expect, it } from 'vitest';
import {
  expectPlain,
  INITIALIZED,
  legacy,
  NOT_CONNECTED,
  probe,
  rpcMethodOf,
  SECRET,
  SERVER_TOKEN,
  scripted,
  stopDeadlines,
  TIMEOUTS,
} from './support.ts';

describe('validating servers that answer oddly', () => {
  it.each([
    [
      'a page',
      { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<h1>hunter2-secret</h1>' },
      'not with MCP',
    ],
    [
      'broken JSON',
      { status: 200, headers: { 'Content-Type': 'application/json' }, body: '{"hunter2-secret' },
      'not with MCP',
    ],
    ['JSON that is no JSON-RPC', { status: 200, body: { hello: SECRET } }, 'not with MCP'],
    [
      '404',
      { status: 404, body: SECRET },
      'nothing at the path of the URL (404, with the server token)',
    ],
    ['405', { status: 405 }, 'not with MCP (405, with the server token)'],
    ['429', { status: 429 }, 'too many requests (429, with the server token)'],
    ['500', { status: 500, body: SECRET }, 'an internal error (500, with the server token)'],
    [
      'a redirect',
      { status: 307, headers: { Location: `https://elsewhere.example/?key=${SECRET}` } },
      'redirects are not followed (307)',
    ],
    [
      'a JSON-RPC error',
      { status: 200, body: { jsonrpc: '2.0', id: 1, error: { code: -32603, message: SECRET } } },
      'JSON-RPC error -32603',
    ],
    [
      '403',
      { status: 403, body: SECRET },
      'does not permit the request with the server token (403)',
    ],
  ])('says what %s means without quoting it', async (_, response, expected) => {
    const upstream = await scripted(({ respond }) => respond(response));
    const answer = await probe(`${upstream.url}?key=${SECRET}`, SERVER_TOKEN);
    expect(answer).toMatchObject({
      status: 'invalid',
      message: expect.stringContaining(expected),
    });
    expectPlain(answer.message);
  });

  it('follows no redirect', async () => {
    const other = await scripted(({ respond }) => respond({ status: 200 }));
    const upstream = await scripted(({ respond }) =>
      respond({ status: 308, headers: { Location: other.url } }),
    );
    await probe(upstream.url, SERVER_TOKEN);
    expect(other.requests).toEqual([]);
  });

  it('does not take a 401 without a challenge for an MCP server', async () => {
    const upstream = await scripted(({ respond }) => respond({ status: 401, body: 'no' }));
    expect(await probe(upstream.url, NOT_CONNECTED)).toMatchObject({
      status: 'invalid',
      message: expect.stringContaining('no WWW-Authenticate challenge'),
    });
    const rpc = { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Unauthorized' } };
    const speaking = await scripted(({ respond }) => respond({ status: 401, body: rpc }));
    expect(await probe(speaking.url, NOT_CONNECTED)).toMatchObject({ status: 'pending' });
  });

  it('ends within its deadline when nothing answers', async () => {
    const pass = stopDeadlines();
    const upstream = await scripted(({ message }) =>
      pass(message?.method === 'server/discover' ? TIMEOUTS.discover : TIMEOUTS.probe),
    );
    const answer = await probe(upstream.url, SERVER_TOKEN, { timeouts: TIMEOUTS });
    expect(answer).toMatchObject({
      status: 'invalid',
      message: expect.stringContaining('in time'),
    });
    expect(upstream.requests.map(({ body }) => rpcMethodOf(body))).toEqual([
      'server/discover',
      'initialize',
    ]);
  });

  it('falls back to the legacy era where a server leaves discover unanswered', async () => {
    const pass = stopDeadlines();
    const upstream = await scripted(legacy({ onDiscover: () => pass(TIMEOUTS.discover) }));
    const answer = await probe(upstream.url, SERVER_TOKEN, { timeouts: TIMEOUTS });
    expect(answer).toMatchObject({ status: 'valid' });
  });

  it('reads a stream only up to the answer, and ends the session it opened', async () => {
    let streamed: Promise<string> | undefined;
    const initialize = async (exchange: Exchange) => {
      streamed = exchange.closed;
      exchange.startSse({ 'Mcp-Session-Id': 'session-1' });
      await exchange.sendEvent({ id: '0', data: '' });
      await exchange.sendEvent({ data: { jsonrpc: '2.0', id: 1, result: INITIALIZED } });
    };
    const upstream = await scripted(legacy({ initialize }));
    expect(await probe(upstream.url, SERVER_TOKEN)).toMatchObject({ status: 'valid' });
    expect(await streamed).toBe('aborted');
    const last = upstream.requests.at(-1);
    expect([last?.method, last?.headers['mcp-session-id']]).toEqual(['DELETE', 'session-1']);
    expect(last?.headers['mcp-protocol-version']).toBe('2025-11-25');
  });

  it('ends the session even when listing tools hangs', async () => {
    const pass = stopDeadlines();
    const upstream = await scripted(legacy({ onList: () => pass(TIMEOUTS.probe) }));
    const answer = await probe(upstream.url, SERVER_TOKEN, { timeouts: TIMEOUTS });
    expect(answer).toMatchObject({ status: 'valid' });
    expect(upstream.requests.at(-1)?.method).toBe('DELETE');
  });

  it('takes a server that supports another modern version for an MCP server', async () => {
    const error = {
      code: -32022,
      message: 'no',
      data: { supported: ['2027-01-01'], requested: '2026-07-28' },
    };
    const upstream = await scripted(({ respond }) =>
      respond({ status: 400, body: { jsonrpc: '2.0', id: 1, error } }),
    );
    expect(await probe(upstream.url, SERVER_TOKEN)).toMatchObject({ status: 'valid' });
  });
});
