import { type ConnectedMcpClient, connectMcpClient } from '@gatehouse/harness';
import { startUpstream } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { clientOf, useFixture } from '../fixture.ts';

const fixture = useFixture();

describe('integrations of both eras', () => {
  const SECRET = 'secret-of-the-upstream';
  const SEARCH = 'gatehouse__search_tools';
  const CALL = 'gatehouse__call_tool';

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
      return calls
        .filter(({ details }) => details.method === 'tools/call')
        .map((one) => one.details);
    };
    await expect
      .poll(async () => (await names())[0], { timeout: 10_000 })
      .toMatchObject({ method: 'tools/call', name: 'large_result', integrationId: ids.second });
    expect((await names()).map(({ name }) => name)).not.toContain(CALL);
  });

  it('what a server asks during a call comes back to it with the repeated call', async () => {
    const { owner } = fixture.server;
    const capabilities = { elicitation: { form: {} } };
    const client = await connectMcpClient({
      url: url(),
      era: 'modern',
      bearer: owner,
      capabilities,
    });
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
});

describe('integrations of one era', () => {
  const CALL = 'gatehouse__call_tool';
  const SEARCH = 'gatehouse__search_tools';

  const old = use(() => startUpstream({ era: 'legacy' }));
  const recent = use(() => startUpstream({ era: 'modern' }));

  beforeAll(async () => {
    const { integrate, api, applicationId } = fixture;
    const [legacy, modern] = ['2025-11-25', '2026-07-28'];
    await integrate({ name: 'Old', url: old.url, authMode: 'none' }, { legacy, modern: null });
    await integrate({ name: 'New', url: recent.url, authMode: 'none' }, { legacy: null, modern });
    await api('PATCH', `/applications/${applicationId}`, { aggregate: { mode: 'search' } });
  });

  describe.each([
    { era: 'legacy', alias: 'new', upstream: recent, region: '=?base64?w6k=?=' },
    { era: 'modern', alias: 'old', upstream: old, region: undefined },
  ] as const)('search mode for a client of the $era era', ({ era, alias, upstream, region }) => {
    let connected: ConnectedMcpClient;

    beforeAll(async () => {
      const url = `${fixture.server.origin}/mcp/${fixture.applicationId}`;
      const capabilities = { elicitation: {} };
      connected = await connectMcpClient({ url, era, bearer: fixture.server.owner, capabilities });
    });
    afterAll(() => connected.close());

    const call = (name: string, args: object = {}, options = {}) => {
      const wrapped = { name: `${alias}__${name}`, arguments: args };
      return connected.client.callTool({ name: CALL, arguments: wrapped }, options);
    };

    it('finds the tools of an integration of the other era', async () => {
      const query = { query: 'add two numbers', integration: alias };
      const { structuredContent } = await connected.client.callTool({
        ...{ name: SEARCH, arguments: query },
      });
      const { tools } = structuredContent as unknown as { tools: { name: string }[] };
      expect(tools[0]?.name).toBe(`${alias}__add`);
    });

    it('calls them, and passes what they return', async () => {
      const sum = await call('add', { a: 20, b: 22 });
      expect(sum).toMatchObject({ structuredContent: { sum: 42 } });
      expect((await call('test_error_handling')).isError).toBe(true);
      const heard: number[] = [];
      const onprogress = ({ progress }: { progress: number }) => heard.push(progress);
      await call('test_tool_with_progress', {}, { onprogress });
      expect(heard).toEqual([0, 50, 100]);
    });

    it('repeats arguments in headers where the integration wants that', async () => {
      const result = await call('test_x_mcp_header', { region: 'é', level: 3 });
      expect(JSON.stringify(result.content)).toContain('region=é');
      const sent = upstream.requests.at(-1)?.headers ?? {};
      expect(sent['mcp-param-region']).toBe(region);
      expect(sent['mcp-name']).toBe(era === 'legacy' ? 'test_x_mcp_header' : undefined);
    });
  });

  it('a legacy client that calls by name answers what a modern integration asks', async () => {
    const url = `${fixture.server.origin}/mcp/${fixture.applicationId}`;
    const { client, callTool, close } = await connectMcpClient({
      ...{ url, era: 'legacy', bearer: fixture.server.owner, capabilities: { elicitation: {} } },
    });
    const answer = { action: 'accept' as const, content: { name: 'Ada' } };
    client.setRequestHandler('elicitation/create', () => answer);
    const name = 'new__test_input_required_result_elicitation';
    expect(await callTool(CALL, { name })).toBe('Hello, Ada!');
    await close();
  });
});
