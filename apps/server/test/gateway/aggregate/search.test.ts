import { type ConnectedMcpClient, connectMcpClient } from '@gatehouse/harness';
import { startUpstream } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { clientOf, useFixture } from '../fixture.ts';

const SECRET = 'secret-of-the-upstream';
const SEARCH = 'gatehouse__search_tools';
const CALL = 'gatehouse__call_tool';

const fixture = useFixture();
const [first, second] = [
  use(() => startUpstream({ requireBearer: SECRET })),
  use(() => startUpstream({ requireBearer: SECRET })),
];
const send = clientOf(() => fixture.server.owner);
const url = () => `${fixture.server.origin}/mcp/${fixture.applicationId}`;
const ids = { first: '', second: '' };

const setMode = (mode: string) =>
  fixture.api('PATCH', `/applications/${fixture.applicationId}`, { aggregate: { mode } });

beforeAll(async () => {
  const fields = { authMode: 'server_token', serverToken: SECRET };
  ids.first = await fixture.integrate({ ...fields, name: 'First', url: first.url });
  ids.second = await fixture.integrate({ ...fields, name: 'Second', url: second.url });
  await fixture.api('PUT', `/integrations/${ids.second}/policy`, { tools: { deny: ['add'] } });
  await setMode('search');
});

interface Found {
  readonly tools: readonly { readonly name: string; readonly inputSchema: object }[];
}

describe.each(['legacy', 'modern'] as const)('search mode, %s era', (era) => {
  let connected: ConnectedMcpClient;

  beforeAll(async () => {
    connected = await connectMcpClient({ url: url(), era, bearer: fixture.server.owner });
  });
  afterAll(() => connected.close());

  const call = (name: string, args: Record<string, unknown>) =>
    connected.client.callTool({ name, arguments: args });
  const search = async (args: Record<string, unknown>) => {
    const { structuredContent, content } = await call(SEARCH, args);
    const found = structuredContent as unknown as Found;
    return { names: found.tools.map(({ name }) => name), found, content };
  };

  it('lists the two tools alone, and prompts and resources as ever', async () => {
    expect(await connected.listTools()).toEqual([SEARCH, CALL]);
    const { prompts } = await connected.client.listPrompts();
    expect(prompts.map(({ name }) => name)).toContain('first__test_simple_prompt');
    expect((await connected.client.listResources()).resources.length).toBeGreaterThan(0);
    expect(connected.client.getInstructions()).toContain(SEARCH);
  });

  it('finds tools with their whole definitions, which can be called', async () => {
    const { names, found, content } = await search({ query: 'add two numbers', limit: 3 });
    expect(names[0]).toBe('first__add');
    expect(names.length).toBeLessThanOrEqual(3);
    expect(found.tools[0]).toMatchObject({ inputSchema: { required: ['a', 'b'] } });
    expect(content).toEqual([{ type: 'text', text: expect.any(String) }]);
    const [{ text = '' } = {}] = content as { text?: string }[];
    expect(JSON.parse(text)).toEqual(found);
    const result = await call(CALL, { name: 'first__add', arguments: { a: 20, b: 22 } });
    expect(result).toMatchObject({ structuredContent: { sum: 42 } });
  });

  it('finds five tools unless told otherwise', async () => {
    expect((await search({ query: 'test' })).names).toHaveLength(5);
    expect((await search({ query: 'test', limit: 20 })).names).toHaveLength(20);
  });

  it('finds only the tools of one integration where one is named', async () => {
    const { names } = await search({ query: 'echo text', integration: 'second', limit: 20 });
    expect(names[0]).toBe('second__echo');
    expect(names.filter((name) => !name.startsWith('second__'))).toEqual([]);
  });

  it('says so where nothing fits', async () => {
    const { names, content } = await search({ query: 'xylophone' });
    expect(names).toEqual([]);
    expect(content).toMatchObject([{ text: expect.stringMatching(/other words/) }]);
  });

  it('neither finds nor calls what the person may not call', async () => {
    const { names } = await search({ query: 'second__add adds two numbers', limit: 20 });
    expect(names).toContain('first__add');
    expect(names).not.toContain('second__add');
    const refused = call(CALL, { name: 'second__add', arguments: { a: 1, b: 2 } });
    await expect(refused).rejects.toThrow(/An admin can change this/);
  });

  it('finds and calls no more what a rule denies from now on', async () => {
    const policy = `/integrations/${ids.second}/policy`;
    expect((await search({ query: 'echo', limit: 20 })).names).toContain('second__echo');
    await fixture.api('PUT', policy, { tools: { deny: ['add', 'echo'] } });
    expect((await search({ query: 'echo', limit: 20 })).names).not.toContain('second__echo');
    const refused = call(CALL, { name: 'second__echo', arguments: { text: 'x' } });
    await expect(refused).rejects.toThrow(/An admin can change this/);
    await fixture.api('PUT', policy, { tools: { deny: ['add'] } });
    expect((await search({ query: 'echo', limit: 20 })).names).toContain('second__echo');
  });

  it('calls tools by their own names too', async () => {
    expect(await connected.callTool('second__echo', { text: 'hello' })).toBe('hello');
  });

  it('passes the failure of a tool, and progress', async () => {
    const failed = await call(CALL, { name: 'first__test_error_handling' });
    expect(failed.isError).toBe(true);
    const progress: number[] = [];
    await connected.client.callTool(
      { name: CALL, arguments: { name: 'first__test_tool_with_progress' } },
      { onprogress: (step) => progress.push(step.progress) },
    );
    expect(progress.length).toBeGreaterThan(0);
  });

  it('passes an argument that headers repeat', async () => {
    const args = { name: 'first__test_x_mcp_header', arguments: { region: 'eu', level: 3 } };
    expect(await connected.callTool(CALL, args)).toContain('region=eu');
    const region = era === 'modern' ? 'eu' : undefined;
    expect(first.requests.at(-1)?.headers['mcp-param-region']).toBe(region);
  });

  it.each([['unknown__echo'], ['echo'], [CALL], [SEARCH], ['gatehouse__connect_account']])(
    'does not call %s, which is no tool of an integration',
    async (name) => {
      await expect(call(CALL, { name })).rejects.toMatchObject({ code: -32602 });
    },
  );

  it.each([
    [SEARCH, {}, /query must be a text/],
    [SEARCH, { query: ' ' }, /query must be a text/],
    [SEARCH, { query: ['a'] }, /query must be a text/],
    [SEARCH, { query: 'a', limit: 21 }, /limit must be/],
    [SEARCH, { query: 'a', limit: '5' }, /limit must be/],
    [SEARCH, { query: 'a', integration: 7 }, /integration must be/],
    [SEARCH, { query: 'a', integration: 'unknown' }, /integration must be one/],
    [CALL, {}, /name is missing/],
    [CALL, { name: 'first__echo', arguments: '{}' }, /arguments must be an object/],
  ])('%s tells the model what is wrong with %j', async (name, args, text) => {
    const { isError, content } = await call(name, args);
    expect(isError).toBe(true);
    expect(content).toMatchObject([{ text: expect.stringMatching(text) }]);
  });
});

const META =
  '{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}';

/** A request of the modern era; its answer as text. */
async function post(method: string, params: string, name?: string): Promise<string> {
  const body = `{"jsonrpc":"2.0","id":"of the client","method":"${method}","params":{${params}"_meta":${META}}}`;
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
  };
  const answer = await send(url(), { body, headers });
  return Buffer.from(await answer.text(), 'latin1').toString();
}

it('a definition that is found has the bytes that the list has', async () => {
  await setMode('list');
  const list = await post('tools/list', '');
  await setMode('search');
  const found = await post(
    'tools/call',
    `"name":"${SEARCH}","arguments":{"query":"test","limit":20},`,
    SEARCH,
  );
  const [, tools = ''] =
    /"structuredContent":\{"tools":\[(.*?)\]\},"resultType"/s.exec(found) ?? [];
  const names = (JSON.parse(`[${tools}]`) as { name: string }[]).map(({ name }) => name);
  expect(names).toHaveLength(20);
  const definitions = tools.split(/,(?=\{"name":"(?:first|second)__)/);
  expect(definitions).toHaveLength(20);
  for (const definition of definitions) expect(list).toContain(definition);
});

it('what goes up is an ordinary call of the target, with every byte of its arguments', async () => {
  const given = '{"text" : "é", "more":[12345678901234567890, 1.10E2]}';
  const answer = await post(
    'tools/call',
    `"name":"${CALL}","arguments":{"arguments":${given},"name":"first__echo"},`,
    CALL,
  );
  expect(answer).toContain('"id":"of the client"');
  const sent = first.requests.at(-1);
  expect(sent?.body.toString()).toBe(
    `{"jsonrpc":"2.0","id":"of the client","method":"tools/call","params":{"name":"echo","arguments":${given},"_meta":${META}}}`,
  );
  expect(sent?.headers).toMatchObject({ 'mcp-name': 'echo', 'mcp-method': 'tools/call' });
});

it('a call is audited with its target, and a search is not audited', async () => {
  const { owner } = fixture.server;
  const client = await connectMcpClient({ url: url(), era: 'modern', bearer: owner });
  await client.callTool(SEARCH, { query: 'large result' });
  await client.callTool(CALL, { name: 'second__large_result', arguments: { bytes: 3 } });
  await client.close();
  const names = async () => {
    const { body } = await fixture.api(
      'GET',
      `/audit-events?kind=call&integrationId=${ids.second}`,
    );
    const calls = body.items as {
      details: { method: string; name: string; integrationId: string };
    }[];
    return calls.filter(({ details }) => details.method === 'tools/call').map((one) => one.details);
  };
  await expect
    .poll(async () => (await names())[0], { timeout: 10_000 })
    .toMatchObject({ method: 'tools/call', name: 'large_result', integrationId: ids.second });
  expect((await names()).map(({ name }) => name)).not.toContain(CALL);
});

it('what a server asks during a call comes back to it with the repeated call', async () => {
  const { owner } = fixture.server;
  const capabilities = { elicitation: { form: {} } };
  const client = await connectMcpClient({ url: url(), era: 'modern', bearer: owner, capabilities });
  client.client.setRequestHandler('elicitation/create', async () => ({
    action: 'accept',
    content: { name: 'Ada' },
  }));
  const name = 'first__test_input_required_result_elicitation';
  expect(await client.callTool(CALL, { name })).toContain('Ada');
  await client.close();
});

it('an integration that rules hide from a person is not named, searched or called', async () => {
  const policy = `/integrations/${ids.second}/policy`;
  await fixture.api('PUT', policy, { roles: ['member'] });
  const { result } = JSON.parse(await post('tools/list', ''));
  expect(result.tools[0].description).toMatch(/Integrations: first \(First\)\./);
  const search = (given: string) =>
    post('tools/call', `"name":"${SEARCH}","arguments":${given},`, SEARCH);
  const found = JSON.parse(await search('{"query":"echo","limit":20}')).result;
  const names = found.structuredContent.tools.map(({ name }: { name: string }) => name);
  expect(names.filter((name: string) => !name.startsWith('first__'))).toEqual([]);
  const named = JSON.parse(await search('{"query":"echo","integration":"second"}'));
  expect(named.result.isError).toBe(true);
  const params = `"name":"${CALL}","arguments":{"name":"second__echo","arguments":{"text":"a"}},`;
  expect(JSON.parse(await post('tools/call', params, CALL)).error).toBeDefined();
  await fixture.api('PUT', policy, { tools: { deny: ['add'] } });
});

it('a person with an account to connect gets the tool for that too', async () => {
  const id = await fixture.integrate({ name: 'Mail', authMode: 'user_token' });
  const { result } = JSON.parse(await post('tools/list', ''));
  expect(result.tools.map(({ name }: { name: string }) => name)).toEqual([
    ...[SEARCH, CALL, 'gatehouse__connect_account'],
  ]);
  await fixture.api('DELETE', `/applications/${fixture.applicationId}/integrations/${id}`);
});

it('in mode list the two tools are unknown', async () => {
  await setMode('list');
  for (const name of [SEARCH, CALL]) {
    const answer = await post('tools/call', `"name":"${name}","arguments":{"query":"a"},`, name);
    expect(JSON.parse(answer)).toMatchObject({ error: { code: -32602 } });
  }
  await setMode('search');
});
