import type { Exchange } from '@gatehouse/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { useFixture } from '../fixture.ts';
import { type AggregateClient, newApplication, openClient } from './aggregate-client.ts';
import { startScriptedServer, toolOf } from './scripted-server.ts';

const fixture = useFixture();
const upstream = use(() => startScriptedServer('only'));
const other = use(() => startScriptedServer('other'));
let applicationId: string;
let client: AggregateClient;

beforeEach(async () => {
  applicationId = await newApplication(fixture);
  for (const { name, url } of [
    { name: 'Only', url: upstream.url },
    { name: 'Other', url: other.url },
  ]) {
    const id = await fixture.integrate({ name, url });
    await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
  }
  upstream.onAll(undefined);
  upstream.speakOnly(undefined);
  for (const method of ['tools/call', 'tools/list', 'initialize', 'ping'])
    upstream.on(method, undefined);
  const { origin, owner } = fixture.server;
  client = await openClient(`${origin}/mcp/${applicationId}`, owner, 'legacy');
});

type Forgetful = (exchange: Exchange) => void;

const inRpc: Forgetful = ({ respond, message }) => {
  const error = { code: -32001, message: 'Session not found' };
  respond({ status: 404, body: { jsonrpc: '2.0', id: message?.id ?? null, error } });
};
const inHttp: Forgetful = ({ respond }) => respond({ status: 404, body: 'Session not found' });

const inStream: Forgetful = ({ startSse, sendEvent, end, message }) => {
  startSse();
  const error = { code: -32000, message: 'No valid session' };
  void sendEvent({ data: { jsonrpc: '2.0', id: message?.id ?? null, error } }).then(end);
};

const sessionOf = ({ request }: Exchange) => request.headers['mcp-session-id'];

/** Answers as before in sessions in which no call has been received. */
function forget(method: string, answer: Forgetful, result: unknown): void {
  const forgotten = new Set(upstream.received('tools/call').map(sessionOf));
  const isOld = (exchange: Exchange) => forgotten.has(sessionOf(exchange));
  upstream.on(method, (exchange) =>
    isOld(exchange) ? answer(exchange) : exchange.respondResult(result),
  );
}

async function states(): Promise<string[]> {
  const { body } = await fixture.api('GET', `/applications/${applicationId}/sessions`);
  return body.items.map(({ state }: { state: string }) => state).sort();
}

const refusedWith =
  (status: number, id: 'own' | null, code = -32000): Forgetful =>
  ({ respond, message }) => {
    const error = { code, message: 'Bad Request: No valid session' };
    respond({ status, body: { jsonrpc: '2.0', id: id && (message?.id ?? null), error } });
  };

describe.each([
  ['JSON-RPC', inRpc],
  ['HTTP alone', inHttp],
])('an upstream that has forgotten its session and says so in %s', (_name, answer) => {
  it('gets the call once more, in a new session', async () => {
    await client.call('only__echo');
    const before = upstream.received('tools/call').length;
    forget('tools/call', answer, { content: [], isError: false });
    const { status, body } = await client.call('only__echo', { count: 1 });
    expect({ status, body }).toMatchObject({ status: 200, body: { result: { content: [] } } });
    const sent = upstream.received('tools/call').slice(before);
    expect(sent).toHaveLength(2);
    expect(sent[0]?.request.body).toEqual(sent[1]?.request.body);
    expect(await states()).toEqual(['closed', 'open']);
  });

  it('lists its tools all the same', async () => {
    await client.call('only__echo');
    forget('tools/list', answer, { tools: [{ name: 'later', inputSchema: { type: 'object' } }] });
    const { names, states: listed } = await client.listTools();
    expect(listed).toEqual({ only: 'ok 1', other: 'ok 1' });
    expect(names).toEqual(['only__later', 'other__echo']);
  });

  it('is not asked a third time, and the others go on', async () => {
    await client.call('other__echo');
    const before = upstream.received('tools/call').length;
    upstream.on('tools/call', answer);
    const { status, body } = await client.call('only__echo');
    expect(status).toBe(200);
    expect(body.error).toMatchObject({
      code: -31005,
      data: { code: 'upstream_status', status: 404 },
    });
    expect(upstream.received('tools/call')).toHaveLength(before + 2);
    expect((await client.call('other__echo')).body.result.content[0].text).toBe('other');
  });
});

it('a call that the upstream has not answered is not sent again', async () => {
  const before = upstream.received('tools/call').length;
  upstream.on('tools/call', ({ drop }) => drop());
  const { body } = await client.call('only__echo');
  expect(body.error).toMatchObject({ code: -31005, data: { code: 'upstream_unreachable' } });
  expect(upstream.received('tools/call')).toHaveLength(before + 1);
});

it('calls at the same moment share the session that begins for them', async () => {
  const before = upstream.received('initialize').length;
  await Promise.all(Array.from({ length: 8 }, () => client.call('only__echo')));
  expect(upstream.received('initialize')).toHaveLength(before + 1);
  forget('tools/call', inRpc, { content: [] });
  const answers = await Promise.all(Array.from({ length: 8 }, () => client.call('only__echo')));
  expect(answers.map(({ body }) => body.result)).toEqual(Array(8).fill({ content: [] }));
  expect(upstream.received('initialize')).toHaveLength(before + 2);
});

it.each([
  ['a status', 503, 'down', { code: 'upstream_status', status: 503, retryAfter: 7 }],
  ['a status for the client', 403, 'no', { code: 'upstream_status', status: 403 }],
  ['no MCP', 200, '<html>', { code: 'upstream_invalid' }],
])(
  'a session that an upstream does not begin is no failure of the network: %s',
  async (...given) => {
    const [, status, body, data] = given;
    const headers = {
      'Content-Type': 'text/html',
      ...('retryAfter' in data && { 'Retry-After': '7' }),
    };
    const before = upstream.received('tools/call').length;
    upstream.speakOnly('legacy');
    upstream.on('initialize', ({ respond }) => respond({ status, headers, body }));
    const { status: answered, body: answer } = await client.call('only__echo');
    expect({ answered, code: answer.error?.code, data: answer.error?.data }).toEqual({
      answered: 200,
      code: -31005,
      data: { ...data, integrationId: expect.any(String) },
    });
    expect(upstream.received('tools/call')).toHaveLength(before);
  },
);

describe.each([
  ['400 without an id', refusedWith(400, null)],
  ['400 with the id', refusedWith(400, 'own')],
  ['400 in HTTP alone', ({ respond }: Exchange) => respond({ status: 400, body: 'No session' })],
  ['410', ({ respond }: Exchange) => respond({ status: 410, body: 'Gone' })],
  ['200 and an error', refusedWith(200, 'own', -32600)],
  ['200 and an error without an id', refusedWith(200, null)],
  ['200 and an error in a stream', inStream],
] as const)('an upstream that answers a lost session with %s', (_name, answer) => {
  describe.each(['modern', 'legacy'] as const)('for a %s client', (era) => {
    /** Whether the stream goes to the client as it comes. */
    const isStreamed = answer === inStream && era === 'legacy';

    beforeEach(async () => {
      const { origin, owner } = fixture.server;
      upstream.speakOnly('legacy');
      client = await openClient(`${origin}/mcp/${applicationId}`, owner, era);
      expect((await client.call('only__echo')).body.result.content[0].text).toBe('only');
    });

    /** Loses every session that has begun, as a restart does. */
    function restart(): void {
      const result = { content: [{ type: 'text', text: 'again' }] };
      forget('tools/call', answer, result);
      forget('ping', answer, {});
      forget('tools/list', answer, { tools: [{ name: 'later', inputSchema: { type: 'object' } }] });
    }

    it.runIf(!isStreamed)('gets each call once more, in one new session', async () => {
      restart();
      const before = upstream.received('initialize').length;
      for (const text of ['again', 'again']) {
        const { status, body } = await client.call('only__echo');
        expect({ status, body }).toMatchObject({ status: 200, body: { result: {} } });
        expect(body.result.content[0].text).toBe(text);
      }
      expect(upstream.received('initialize')).toHaveLength(before + 1);
      expect(await states()).toEqual(['closed', 'open']);
    });

    it.runIf(!isStreamed)('gets calls of the same moment once more', async () => {
      restart();
      const answers = await Promise.all(Array.from({ length: 8 }, () => client.call('only__echo')));
      for (const { body } of answers) expect(body.result.content[0].text).toBe('again');
    });

    it('lists its tools all the same', async () => {
      restart();
      const { names } = await client.listTools();
      expect(names).toContain('only__later');
    });

    it('keeps a session in which ping is answered, and its call is not sent again', async () => {
      upstream.on('tools/call', answer);
      upstream.on('ping', ({ respondResult }) => respondResult({}));
      const calls = upstream.received('tools/call').length;
      await client.call('only__echo');
      expect(upstream.received('tools/call')).toHaveLength(calls + 1);
      expect(await states()).toEqual(['open']);
    });

    it('gets a call twice at most', async () => {
      upstream.on('tools/call', answer);
      upstream.on('ping', answer);
      const before = upstream.received('tools/call').length;
      const { status } = await client.call('only__echo');
      if (era === 'legacy') expect(status).toBe(200);
      expect(upstream.received('tools/call')).toHaveLength(before + (isStreamed ? 1 : 2));
    });
  });
});

describe('a lost session', () => {
  beforeEach(async () => {
    const { origin, owner } = fixture.server;
    upstream.speakOnly('legacy');
    client = await openClient(`${origin}/mcp/${applicationId}`, owner, 'modern');
    await client.call('only__echo');
  });

  it('is not suspected by a result, an unknown method or a failure of the server', async () => {
    const pings = upstream.received('ping').length;
    for (const answer of [
      refusedWith(200, 'own', -32601),
      ({ respond }: Exchange) => respond({ status: 503, body: 'down' }),
      ({ respondResult }: Exchange) => respondResult({ isError: true, content: [] }),
    ]) {
      upstream.on('tools/call', answer);
      await client.call('only__echo');
    }
    expect(upstream.received('ping')).toHaveLength(pings);
  });

  it('is kept where the server does not know ping', async () => {
    const begun = upstream.received('initialize').length;
    upstream.on('tools/call', refusedWith(400, 'own', -32602));
    const { body } = await client.call('only__echo');
    expect(body.error.code).toBe(-32602);
    expect(upstream.received('initialize')).toHaveLength(begun);
  });

  it('does not let a call be repeated that had begun to answer', async () => {
    const calls = upstream.received('tools/call').length;
    upstream.on('ping', refusedWith(400, null));
    upstream.on('tools/call', async ({ startSse, sendEvent, end, message }) => {
      startSse();
      const params = { level: 'debug', data: 'begun' };
      await sendEvent({ data: { jsonrpc: '2.0', method: 'notifications/message', params } });
      const error = { code: -32000, message: 'lost' };
      await sendEvent({ data: { jsonrpc: '2.0', id: message?.id, error } });
      end();
    });
    expect((await client.call('only__echo')).body.error.code).toBe(-32000);
    expect(upstream.received('tools/call')).toHaveLength(calls + 1);
  });

  it('that an admin ends is followed by another one for clients without a session', async () => {
    const { body } = await fixture.api('GET', `/applications/${applicationId}/sessions`);
    const [session] = body.items.filter(({ state }: { state: string }) => state === 'open');
    await fixture.api('DELETE', `/applications/${applicationId}/sessions/${session.id}`);
    expect((await client.call('only__echo')).body.result.content[0].text).toBe('only');
  });
});

it('a legacy client reads the error of a refusal with its own id, in HTTP 200', async () => {
  const error = { code: -32602, message: 'No such argument', data: { about: 1 } };
  upstream.on('ping', ({ respondResult }) => respondResult({}));
  for (const id of [null, 5]) {
    upstream.on('tools/call', ({ respond }) =>
      respond({ status: 400, body: { jsonrpc: '2.0', id, error } }),
    );
    const { status, body } = await client.call('only__echo');
    expect({ status, body }).toEqual({ status: 200, body: { jsonrpc: '2.0', id: 5, error } });
  }
});

describe('lists that two sessions of a person read', () => {
  let first: AggregateClient;
  let second: AggregateClient;
  const path = () => `/applications/${applicationId}/sessions`;
  const ECHO = { names: ['only__echo'], states: { only: 'ok 1' } };

  beforeEach(async () => {
    applicationId = await newApplication(fixture);
    const id = await fixture.integrate({ name: 'Only', url: upstream.url });
    await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
    const { origin, owner } = fixture.server;
    const open = () => openClient(`${origin}/mcp/${applicationId}`, owner, 'legacy');
    [first, second] = [await open(), await open()];
  });

  async function revokeFirst(): Promise<void> {
    const { body } = await fixture.api('GET', path());
    await fixture.api('DELETE', `${path()}/${body.items[0].id}`);
  }

  /** Both list at the same moment; the first session has asked, and its server awaits `end` to answer that it is gone. */
  async function listTogether(end: () => Promise<unknown>) {
    const before = upstream.received('tools/list').length;
    const asked = () => upstream.received('tools/list').slice(before);
    const isFirst = (exchange: Exchange) =>
      sessionOf(exchange) === sessionOf(asked()[0] as Exchange);
    upstream.on('tools/list', (exchange) => {
      if (!isFirst(exchange)) exchange.respondResult({ tools: [toolOf('echo')] });
    });
    const listed = [first.listTools()];
    await expect.poll(() => asked().length).toBe(1);
    listed.push(second.listTools());
    await end();
    for (const exchange of asked().filter(isFirst)) exchange.respond({ status: 404 });
    return Promise.all(listed.map((list) => list.catch(() => undefined)));
  }

  it('together are read again for the second one if the first one ends', async () => {
    const { headers, send } = first;
    const [, list] = await listTogether(() => send({ method: 'DELETE', headers }));
    expect(list).toEqual(ECHO);
  });

  it('together are read again for the second one if that behind the first one is revoked', async () => {
    const [mine, list] = await listTogether(revokeFirst);
    expect(mine).toMatchObject({ names: [] });
    expect(list).toEqual(ECHO);
  });

  it('are read for the second one after the first one was refused', async () => {
    await first.call('only__echo');
    await revokeFirst();
    expect(await first.listTools()).toEqual({ names: [], states: { only: 'failed 0' } });
    expect(await second.listTools()).toEqual(ECHO);
  });
});
