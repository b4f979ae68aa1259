import { connectMcpClient } from '@gatehouse/harness';
import { type Exchange, startUpstream } from '@gatehouse/testing';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { META, modernRequest } from '../connect-fixture.ts';
import { clientOf, useFixture } from '../fixture.ts';
import { newApplication } from './aggregate-client.ts';
import { startScriptedServer } from './scripted-server.ts';
import { answerCalls, callOf, parsed } from './translated-calls.ts';

const fixture = useFixture();

const send = clientOf(() => fixture.server.owner);
const url = () => `${fixture.server.origin}/mcp/${fixture.applicationId}`;

let oldId: string;

beforeAll(async () => {
  oldId = await fixture.integrate({ name: 'Old' }, { legacy: '2025-11-25', modern: null });
  await fixture.integrate({ name: 'New' }, { legacy: null, modern: '2026-07-28' });
});

const upstream = (onCall: Parameters<typeof answerCalls>[1]) =>
  answerCalls(fixture.upstream, onCall);

function callModern(capabilities: object, meta: object = {}, signal?: AbortSignal) {
  const all = {
    ...meta,
    [`${META}/protocolVersion`]: '2026-07-28',
    [`${META}/clientCapabilities`]: capabilities,
  };
  return send(url(), {
    body: callOf('old__tool', all),
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'old__tool',
      'mcp-param-region': 'x',
    },
    ...(signal && { signal }),
  });
}

describe('a modern client of a legacy upstream that', () => {
  const ask = async (exchange: Exchange, method = 'elicitation/create') => {
    exchange.startSse();
    const params = { message: 'Name?', requestedSchema: { type: 'object', properties: {} } };
    const asked = { jsonrpc: '2.0', id: 'of-upstream', method, params };
    await exchange.sendEvent({ data: JSON.stringify(asked) });
  };

  it('gets the call with ids of ours, and everything else as it was', async () => {
    let got = '';
    let headers: NodeJS.Dict<string | string[]> = {};
    upstream((exchange) => {
      got = exchange.request.body.toString();
      headers = exchange.request.headers;
      exchange.respond({
        headers: { 'Content-Type': 'application/json' },
        body: `{"jsonrpc":"2.0","id":${JSON.stringify(exchange.message?.id)},"result":{"content":[],"n":2.50e+7}}`,
      });
    });
    const answer = await callModern({}, { progressToken: 7, 'x/y': 1 });
    const text = await answer.text();
    expect(text).toContain('"id":12345678901234567890');
    expect(text).toContain('"n":2.50e+7');
    expect(JSON.parse(text).result).toMatchObject({
      resultType: 'complete',
      _meta: { [`${META}/serverInfo`]: { name: 'gatehouse' } },
    });
    const { id, params } = JSON.parse(got);
    expect(id).toMatch(/^gatehouse-/);
    expect(params._meta).toEqual({ progressToken: id, 'x/y': 1 });
    expect(params.name).toBe('tool');
    expect(got).toContain('"arguments":{"n":1.50e+3}');
    expect(Object.keys(headers).filter((name) => name.startsWith('mcp-'))).toEqual([
      'mcp-protocol-version',
      'mcp-session-id',
    ]);
    expect(headers['mcp-protocol-version']).toBe('2025-11-25');
  });

  it('asks for what it has not declared gets an error, and so does the upstream', async () => {
    let id: unknown;
    const others = upstream(async (exchange) => {
      id = exchange.message?.id;
      await ask(exchange);
    });
    const { status, error } = await parsed(callModern({}));
    expect(status).toBe(400);
    expect(error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: {} } },
    });
    expect(error.message).toMatch(/effects/);
    await expect.poll(() => others.length).toBe(2);
    expect(others.map((text) => JSON.parse(text))).toEqual(
      expect.arrayContaining([
        { jsonrpc: '2.0', id: 'of-upstream', error: expect.objectContaining({ code: -32601 }) },
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } },
      ]),
    );
  });

  it('asks for what it has declared needs a legacy client', async () => {
    upstream((exchange) => ask(exchange, 'sampling/createMessage'));
    const { status, error } = await parsed(callModern({ sampling: {} }));
    expect(status).toBe(200);
    expect(error).toMatchObject({
      code: -31005,
      data: {
        code: 'needs_legacy_client',
        integrationId: oldId,
        url: expect.stringMatching(new RegExp(`/mcp/${fixture.applicationId}/${oldId}$`)),
      },
    });
    expect(error.message).toMatch(/effects/);
  });

  it('has reported progress hears on its stream that the call has ended', async () => {
    upstream(async (exchange) => {
      exchange.startSse();
      const params = { progressToken: exchange.message?.id, progress: 1.5 };
      const progress = { jsonrpc: '2.0', method: 'notifications/progress', params };
      await exchange.sendEvent({ data: JSON.stringify(progress) });
      const asked = { jsonrpc: '2.0', id: 1, method: 'roots/list' };
      await exchange.sendEvent({ data: JSON.stringify(asked) });
    });
    const answer = await callModern({}, { progressToken: 'mine' });
    const text = await answer.text();
    expect(answer.headers['content-type']).toBe('text/event-stream');
    expect(text).toContain('"progressToken":"mine","progress":1.5');
    expect(text).toContain('-32021');
  });

  it('wants a URL opened is asked to open it, if it can', async () => {
    upstream(({ message, respond }) => {
      const elicitations = [
        { mode: 'url', elicitationId: 'e', url: 'https://a.test/', message: 'Go' },
      ];
      const error = { code: -32042, message: 'Open', data: { elicitations } };
      respond({ body: { jsonrpc: '2.0', id: message?.id, error } });
    });
    const { result } = await parsed(callModern({ elicitation: { url: {} } }));
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: {
        url_0: {
          method: 'elicitation/create',
          params: { mode: 'url', url: 'https://a.test/', message: 'Go' },
        },
      },
    });
    const { status, error } = await parsed(callModern({ elicitation: {} }));
    expect([status, error.code]).toEqual([400, -32021]);
  });

  it('logs hears of it only if it has named a level', async () => {
    upstream(async (exchange) => {
      exchange.startSse();
      const log = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info' } };
      await exchange.sendEvent({ data: JSON.stringify(log) });
      const answer = { jsonrpc: '2.0', id: exchange.message?.id, result: { content: [] } };
      await exchange.sendEvent({ data: JSON.stringify(answer) });
      exchange.end();
    });
    const without = await callModern({});
    expect(await without.text()).not.toContain('notifications/message');
    const level = await callModern({}, { [`${META}/logLevel`]: 'info' });
    expect(await level.text()).toContain('notifications/message');
  });

  it('is at work goes away, and the upstream hears of it', async () => {
    const leaving = new AbortController();
    let id: unknown;
    const others = upstream((exchange) => {
      id = exchange.message?.id;
      leaving.abort();
    });
    await expect(callModern({}, {}, leaving.signal)).rejects.toThrow();
    await expect.poll(() => others.length).toBe(1);
    expect(JSON.parse(others[0] ?? '')).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: id },
    });
  });

  it('is at work hears of it also when this node has forgotten the session that the call has begun', async () => {
    const { db, transaction } = fixture.server.store;
    await fixture.api('DELETE', `/applications/${fixture.applicationId}/integrations/${oldId}`);
    await fixture.api('POST', `/applications/${fixture.applicationId}/integrations/${oldId}`);
    const leaving = new AbortController();
    let id: unknown;
    const others = upstream(async (exchange) => {
      id = exchange.message?.id;
      const sessions = await db.session.findMany({ select: { id: true } });
      await transaction(async ({ announce }) =>
        announce(...sessions.map((session) => ({ kind: 'session' as const, id: session.id }))),
      );
      leaving.abort();
    });
    await expect(callModern({}, {}, leaving.signal)).rejects.toThrow();
    await expect.poll(() => others.length).toBe(1);
    expect(JSON.parse(others[0] ?? '').params).toEqual({ requestId: id });
  });

  it('leaves before the session has begun leaves nothing upstream', async () => {
    await fixture.api('DELETE', `/applications/${fixture.applicationId}/integrations/${oldId}`);
    await fixture.api('POST', `/applications/${fixture.applicationId}/integrations/${oldId}`);
    const leaving = new AbortController();
    const got: unknown[] = [];
    let hasLeft = (): void => {};
    const left = new Promise<void>((resolve) => {
      hasLeft = resolve;
    });
    fixture.upstream.otherwise(async (exchange) => {
      got.push(exchange.message?.method);
      if (exchange.message?.method !== 'initialize') return exchange.respond({ status: 202 });
      leaving.abort();
      await left;
      exchange.respondResult(
        {
          protocolVersion: '2025-11-25',
          capabilities: {},
          serverInfo: { name: 's', version: '1' },
        },
        { 'Mcp-Session-Id': 'of-the-upstream' },
      );
    });
    await expect(callModern({}, {}, leaving.signal)).rejects.toThrow();
    hasLeft();
    await expect.poll(() => got).toEqual(['initialize', 'notifications/initialized']);
  });

  it('answers that there is no such method hears it as in its own era', async () => {
    upstream(({ message, respond }) => {
      const error = { code: -32601, message: 'Method not found' };
      respond({ body: { jsonrpc: '2.0', id: message?.id, error } });
    });
    const { status, error } = await parsed(callModern({}));
    expect([status, error.code]).toEqual([404, -32601]);
  });

  it('forgets its session after it has begun the call does not get it again', async () => {
    let calls = 0;
    upstream(async (exchange) => {
      calls += 1;
      exchange.startSse();
      await exchange.send('id: 1\nretry: 1\ndata: \n\n');
      exchange.end();
      fixture.upstream.once((resumed) => resumed.respond({ status: 404 }));
    });
    const { error } = await parsed(callModern({}));
    expect(error).toMatchObject({ code: -31005, data: { status: 404 } });
    expect(calls).toBe(1);
  });

  it('breaks off hears of a failure of that integration alone', async () => {
    upstream((exchange) => exchange.drop());
    const { status, error } = await parsed(callModern({}));
    expect(status).toBe(200);
    expect(error).toMatchObject({ code: -31005, data: { integrationId: oldId } });
  });
});

describe('levels of log messages', () => {
  const LEGACY = { legacy: '2025-11-25', modern: null };

  const [scripted, other] = [
    use(() => startScriptedServer('scripted')),
    use(() => startScriptedServer('other')),
  ];
  const reference = use(() => startUpstream({ era: 'legacy' }));

  /** In which no client has named a level. */
  let applicationId: string;
  const attach = async (name: string, url: string): Promise<void> => {
    const id = await fixture.integrate({ name, url, authMode: 'none' }, LEGACY);
    await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
  };
  /** What the scripted servers have got, besides what begins a session. */
  let got: string[] = [];

  beforeAll(async () => {
    applicationId = await newApplication(fixture);
    for (const [name, server] of Object.entries({ Scripted: scripted, Other: other })) {
      await attach(name, server.url);
      server.on('initialize', ({ respondResult }) => {
        got.push(`${name} initialize`);
        const about = { protocolVersion: '2025-11-25', serverInfo: {} };
        const id = `${name}-${got.length}`;
        respondResult({ ...about, capabilities: { logging: {} } }, { 'Mcp-Session-Id': id });
      });
      server.on('logging/setLevel', async ({ request, respondResult }) => {
        // A call that does not wait for the answer comes first.
        await new Promise((resolve) => setTimeout(resolve, 50));
        got.push(`${name} ${JSON.parse(request.body.toString()).params.level}`);
        respondResult({});
      });
      server.on('tools/call', async ({ message, startSse, sendEvent, end }) => {
        got.push(`${name} call`);
        startSse();
        for (const level of ['debug', 'info', 'warning', 'error', 'loud']) {
          const log = { jsonrpc: '2.0', method: 'notifications/message', params: { level } };
          await sendEvent({ data: JSON.stringify(log) });
        }
        const answer = { jsonrpc: '2.0', id: message?.id, result: { content: [] } };
        await sendEvent({ data: JSON.stringify(answer) });
        end();
      });
    }
    await attach('Real', reference.url);
  });

  beforeEach(() => {
    got = [];
  });

  /** Calls a tool as a modern client; the levels of the messages that it hears. */
  async function heardAt(logLevel: string | undefined, alias = 'scripted'): Promise<string[]> {
    const { headers, body } = modernRequest('tools/call', { name: `${alias}__echo` });
    const { params } = body as { params: { _meta: Record<string, unknown> } };
    if (logLevel !== undefined) params._meta[`${META}/logLevel`] = logLevel;
    const url = `${fixture.server.origin}/mcp/${applicationId}`;
    const { text } = await clientOf(fixture.server.owner)(url, { headers, body });
    return [...(await text()).matchAll(/"level":"(\w+)"/g)].map(([, level = '']) => level);
  }

  it('a session begins with the level that the first call names, and each call hears its own', async () => {
    expect(await heardAt('warning')).toEqual(['warning', 'error', 'loud']);
    expect(got).toEqual(['Scripted initialize', 'Scripted warning', 'Scripted call']);
  });

  it('a call that is content with fewer messages changes nothing for others', async () => {
    expect(await heardAt('error')).toEqual(['error', 'loud']);
    expect(await heardAt(undefined)).toEqual([]);
    expect(await heardAt('shout')).toEqual([]);
    expect(got).toEqual(['Scripted call', 'Scripted call', 'Scripted call']);
  });

  it('a call that wants more messages is sent once the server has taken its level', async () => {
    expect(await heardAt('debug')).toEqual(['debug', 'info', 'warning', 'error', 'loud']);
    expect(await heardAt('debug')).toHaveLength(5);
    expect(got).toEqual(['Scripted debug', 'Scripted call', 'Scripted call']);
  });

  it('a session with another server begins with the most verbose level that was named', async () => {
    expect(await heardAt('error', 'other')).toEqual(['error', 'loud']);
    expect(got).toEqual(['Other initialize', 'Other debug', 'Other call']);
  });

  it('the official client hears what a real server of the legacy era logs', async () => {
    const url = `${fixture.server.origin}/mcp/${applicationId}`;
    const { client, close } = await connectMcpClient({
      ...{ url, era: 'modern', bearer: fixture.server.owner, capabilities: {} },
    });
    const heard: unknown[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => {
      heard.push(params.level);
    });
    const _meta = { [`${META}/logLevel`]: 'info' };
    await client.callTool({ name: 'real__test_tool_with_logging', arguments: {}, _meta });
    expect(heard).toEqual(['info', 'info', 'info']);
    await close();
  });
});
