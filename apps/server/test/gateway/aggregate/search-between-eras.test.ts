import { type ConnectedMcpClient, connectMcpClient } from '@gatehouse/harness';
import { startUpstream } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { useFixture } from '../fixture.ts';

const CALL = 'gatehouse__call_tool';
const SEARCH = 'gatehouse__search_tools';

const fixture = useFixture();
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
