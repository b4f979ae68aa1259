import type { Exchange } from '@gatehouse/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { useFixture } from '../fixture.ts';
import { type AggregateClient, newApplication, openClient } from './aggregate-client.ts';
import { startScriptedServer } from './scripted-server.ts';

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
  for (const method of ['tools/call', 'tools/list', 'initialize']) upstream.on(method, undefined);
  const { origin, owner } = fixture.server;
  client = await openClient(`${origin}/mcp/${applicationId}`, owner, 'legacy');
});

type Forgetful = (exchange: Exchange) => void;

const inRpc: Forgetful = ({ respond, message }) => {
  const error = { code: -32001, message: 'Session not found' };
  respond({ status: 404, body: { jsonrpc: '2.0', id: message?.id ?? null, error } });
};
const inHttp: Forgetful = ({ respond }) => respond({ status: 404, body: 'Session not found' });

/** Answers as before in sessions that begin from now on. */
function forget(method: string, answer: Forgetful, result: unknown): void {
  const last = String(upstream.received('initialize').length);
  const isOld = ({ request }: Exchange) =>
    Number(String(request.headers['mcp-session-id']).split('-').at(-1)) <= Number(last);
  upstream.on(method, (exchange) =>
    isOld(exchange) ? answer(exchange) : exchange.respondResult(result),
  );
}

async function states(): Promise<string[]> {
  const { body } = await fixture.api('GET', `/applications/${applicationId}/sessions`);
  return body.items.map(({ state }: { state: string }) => state).sort();
}

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
