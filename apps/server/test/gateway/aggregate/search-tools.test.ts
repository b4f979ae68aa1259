import { describe, expect, it } from 'vitest';
import { callByName, searchTools } from '../../../src/gateway/aggregate/search/search-tools.ts';
import { ToolIndexes } from '../../../src/gateway/aggregate/search/tool-indexes.ts';
import { CALL_TOOL, SEARCH_TOOL } from '../../../src/gateway/aggregate/search/tools.ts';
import { readEnvelope } from '../../../src/mcp/envelope/read-envelope.ts';
import type { Reply } from '../../../src/mcp/server/reply.ts';
import { lists, TestApplication, toolOf } from './lists/application.ts';

const application = new TestApplication();
const TESTS = Array.from({ length: 24 }, (_, index) => ({
  ...toolOf(`test_${index}`),
  description: `The test number ${index}, "é" `,
}));
const ECHO = { ...toolOf('echo'), description: 'Gives a text back' };
const ADD = {
  ...{ name: 'add', description: 'Adds two numbers' },
  inputSchema: { type: 'object', required: ['a', 'b'] },
};
application.attach('first').on('tools', lists('tools', ADD, ECHO, ...TESTS));
application.attach('second').on('tools', lists('tools', ECHO, ...TESTS));

const toolIndexes = new ToolIndexes();

describe.each(['legacy', 'modern'] as const)('search mode, %s era', (era) => {
  /** What a call of the tool that searches is answered with. */
  async function search(args: Record<string, unknown>) {
    const client = application.client(era);
    const request = {
      id: '5',
      method: 'tools/call',
      params: { name: SEARCH_TOOL, arguments: args },
    };
    const deps = { lists: application.lists, toolIndexes, version: '0' };
    const reply = await searchTools(client, request, deps);
    const bytes = 'written' in reply ? Buffer.concat(reply.written).toString() : '';
    const result = 'result' in reply ? (reply.result as object) : JSON.parse(bytes);
    const names = result.structuredContent?.tools.map(({ name }: { name: string }) => name);
    return { ...result, names, bytes };
  }

  /** What a call of the tool that calls others is answered with, where nothing goes up. */
  async function call(args: Record<string, unknown>) {
    const params = { name: CALL_TOOL, arguments: args };
    const body = Buffer.from(
      JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/call', params }),
    );
    const envelope = readEnvelope(body);
    if (envelope.kind !== 'message') throw new Error('It is no message.');
    const replies: Reply[] = [];
    const given = application.client(era);
    const answering = { ...given.call, reply: (_: string, reply: Reply) => replies.push(reply) };
    const client = { ...given, call: answering, session: undefined } as never;
    const deps = { lists: application.lists, version: '0' } as never;
    await callByName(client, { ...envelope.message, id: '5' }, body, deps);
    return replies;
  }

  it('finds tools with their whole definitions', async () => {
    const { names, structuredContent, content } = await search({
      ...{ query: 'add two numbers', limit: 3 },
    });
    expect(names[0]).toBe('first__add');
    expect(names.length).toBeLessThanOrEqual(3);
    expect(structuredContent.tools[0]).toMatchObject({ inputSchema: { required: ['a', 'b'] } });
    expect(content).toEqual([{ type: 'text', text: expect.any(String) }]);
    expect(JSON.parse(content[0].text)).toEqual(structuredContent);
  });

  it('finds five tools unless told otherwise', async () => {
    expect((await search({ query: 'test' })).names).toHaveLength(5);
    expect((await search({ query: 'test', limit: 20 })).names).toHaveLength(20);
  });

  it('finds only the tools of one integration where one is named', async () => {
    const { names } = await search({ query: 'echo text', integration: 'second', limit: 20 });
    expect(names[0]).toBe('second__echo');
    expect(names.filter((name: string) => !name.startsWith('second__'))).toEqual([]);
  });

  it('says so where nothing fits', async () => {
    const { names, content } = await search({ query: 'xylophone' });
    expect(names).toEqual([]);
    expect(content).toMatchObject([{ text: expect.stringMatching(/other words/) }]);
  });

  it('finds definitions with the bytes that the list has', async () => {
    const client = application.client(era);
    const parts = await application.lists.list(client, 'tools');
    const listed = parts.flatMap(({ list }) => list?.entries ?? []);
    const { names, bytes } = await search({ query: 'test', limit: 20 });
    expect(names).toHaveLength(20);
    const definitions = listed.filter(({ identifier }) => names.includes(identifier));
    expect(definitions).toHaveLength(20);
    for (const definition of definitions) expect(bytes).toContain(definition.bytes.toString());
  });

  it.each([
    [{}, /query must be a text/],
    [{ query: ' ' }, /query must be a text/],
    [{ query: ['a'] }, /query must be a text/],
    [{ query: 'a', limit: 21 }, /limit must be/],
    [{ query: 'a', limit: '5' }, /limit must be/],
    [{ query: 'a', integration: 7 }, /integration must be/],
    [{ query: 'a', integration: 'unknown' }, /integration must be one/],
  ])('tells the model what is wrong with a search for %j', async (args, text) => {
    const { isError, content } = await search(args);
    expect(isError).toBe(true);
    expect(content).toMatchObject([{ text: expect.stringMatching(text) }]);
  });

  it.each([
    [{}, /name is missing/],
    [{ name: 'first__echo', arguments: '{}' }, /arguments must be an object/],
  ])('tells the model what is wrong with a call of %j', async (args, text) => {
    expect(await call(args)).toMatchObject([
      { result: { isError: true, content: [{ text: expect.stringMatching(text) }] } },
    ]);
  });

  it.each(['unknown__echo', 'echo', CALL_TOOL, SEARCH_TOOL, 'gatehouse__connect_account'])(
    'does not call %s, which is no tool of an integration',
    async (name) => {
      expect(await call({ name })).toMatchObject([{ error: { code: -32602 } }]);
    },
  );
});
