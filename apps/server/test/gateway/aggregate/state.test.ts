import type { AggregateState } from '@gatehouse/contract';
import type { Exchange, ScriptedUpstream } from '@gatehouse/testing';
import { startScriptedUpstream } from '@gatehouse/testing';
import { beforeAll, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { clientOf, useFixture } from '../fixture.ts';

const fixture = useFixture();
const [first, second, third] = [
  use(startScriptedUpstream),
  use(startScriptedUpstream),
  use(startScriptedUpstream),
];
const send = clientOf(() => fixture.server.owner);

const LISTS: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
};

type Lists = Readonly<Record<string, readonly object[]>>;

/** Answers requests for lists in the modern era, always fresh. */
function serve(upstream: ScriptedUpstream, lists: Lists): void {
  upstream.otherwise(({ request, respond }: Exchange) => {
    const { id, method } = JSON.parse(request.body.toString());
    const list = LISTS[method] ?? '';
    const result = { resultType: 'complete', ttlMs: 0, [list]: lists[list] ?? [] };
    const body = JSON.stringify({ jsonrpc: '2.0', id, result });
    respond({ headers: { 'Content-Type': 'application/json' }, body });
  });
}

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
const resource = (uri: string) => ({ uri, name: uri });

async function list(method: string, token?: string): Promise<void> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const { status, text } = await send(`${fixture.server.origin}/mcp/${fixture.applicationId}`, {
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
    body: { jsonrpc: '2.0', id: 1, method, params: { _meta } },
    ...(token && { token }),
  });
  expect([status, await text()]).toEqual([200, expect.stringContaining('"result"')]);
}

async function state(token?: string): Promise<AggregateState> {
  const path = `/applications/${fixture.applicationId}/aggregate`;
  return (await fixture.api('GET', path, undefined, token)).body;
}

const ids: string[] = [];

beforeAll(async () => {
  ids.push(await fixture.integrate({ name: 'First', url: first.url }));
  ids.push(await fixture.integrate({ name: 'Second', url: second.url }));
  ids.push(await fixture.integrate({ name: 'Third', url: third.url }));
});

it('tells what was listed last for the person, and asks no integration for it', async () => {
  const unread = await state();
  expect(unread.integrations.map(({ state }) => state)).toEqual(['unread', 'unread', 'unread']);
  expect(first.requests).toHaveLength(0);
  serve(first, {
    tools: [tool('a'), tool('b'), tool('c'), tool('c')],
    resources: [resource('x:1')],
  });
  serve(second, { tools: [tool('a')], resources: [resource('x:1'), resource('x:2')] });
  third.otherwise(({ respond }) => respond({ status: 500, body: 'broken' }));
  await list('tools/list');
  await list('resources/list');
  const asked = first.requests.length;
  const none = { tools: 0, prompts: 0, resources: 0, resourceTemplates: 0 };
  expect(await state()).toEqual({
    integrations: [
      { id: ids[0], alias: 'first', state: 'ok', counts: { ...none, tools: 2, resources: 1 } },
      { id: ids[1], alias: 'second', state: 'ok', counts: { ...none, tools: 1, resources: 1 } },
      { id: ids[2], alias: 'third', state: 'failed', counts: none },
    ],
    leftOut: [
      { integrationId: ids[0], kind: 'tool', name: 'c', reason: 'name_not_unique' },
      { integrationId: ids[0], kind: 'tool', name: 'c', reason: 'name_not_unique' },
      { integrationId: ids[1], kind: 'resource', name: 'x:1', reason: 'offered_by_another' },
    ],
  });
  expect(first.requests).toHaveLength(asked);
});

it('keeps what people see apart', async () => {
  const { token } = await fixture.server.addMember('member');
  const { integrations } = await state(token);
  expect(integrations.map(({ state }) => state)).toEqual(['unread', 'unread', 'unread']);
  await list('prompts/list', token);
  const [listed] = (await state(token)).integrations;
  expect(listed).toMatchObject({ state: 'ok', counts: { tools: 0 } });
  expect((await state()).integrations[0]?.counts.tools).toBe(2);
});

it('tells the worst of the lists, and says what is served from before', async () => {
  serve(first, { tools: [tool('a')] });
  await list('tools/list');
  first.otherwise(({ respond }) => respond({ status: 500, body: 'broken' }));
  await list('tools/list');
  expect((await state()).integrations[0]).toMatchObject({ state: 'stale', counts: { tools: 1 } });
});

it('names at most 1,000 that are left out, with names of 200 characters', async () => {
  const names = Array.from({ length: 700 }, (_, index) => `${index}${'𝄞'.repeat(300)}`);
  const tools = [...names, ...names].map(tool);
  serve(second, { tools });
  await list('tools/list');
  const { leftOut } = await state();
  expect(leftOut).toHaveLength(1000);
  expect(leftOut[0]?.name).toBe(`0${'𝄞'.repeat(199)}`);
});
