import { expect, it } from 'vitest';
import type { Lists } from '../../../src/mcp/client/lists.ts';
import { INITIALIZED, legacy, NONE, probe, reference, scripted } from './support.ts';

type Options = Parameters<typeof probe>[2];

async function listsAt(url: string, options: Options = {}): Promise<readonly Lists[]> {
  const noted: Lists[] = [];
  const noteLists = async (_target: unknown, lists: Lists) => void noted.push(lists);
  const result = await probe(url, NONE, { authMode: 'none', noteLists, ...options });
  expect(result.status).toBe('valid');
  return noted;
}

it('validate finds all tools, prompts, resources and templates', async () => {
  const [lists = {}] = await listsAt((await reference({})).url);
  expect(lists.tool?.length).toBeGreaterThan(20);
  expect(lists.tool).toContainEqual(expect.objectContaining({ name: 'test_simple_text' }));
  expect(lists.prompt).toContainEqual(expect.objectContaining({ name: 'test_simple_prompt' }));
  expect(lists.resource).toContainEqual(expect.objectContaining({ uri: 'test://static-text' }));
  const uriTemplate = 'test://template/{id}/data';
  expect(lists.resource_template).toContainEqual(expect.objectContaining({ uriTemplate }));
});

/** A legacy server that lists one tool on each page. */
const paged = (answer: (page: number) => object | undefined) =>
  scripted(
    legacy({
      initialize: async ({ respondResult }) =>
        respondResult({ ...INITIALIZED, capabilities: { tools: {} } }),
      onList: ({ request, respond, respondResult }) => {
        const page = Number(JSON.parse(request.body.toString()).params.cursor ?? 0);
        const result = answer(page);
        if (result === undefined) respond({ status: 500 });
        else respondResult({ ...result, nextCursor: String(page + 1) });
      },
    }),
  );

it('validate follows pages up to the fiftieth, and says that there may be more', async () => {
  const upstream = await paged((page) => ({ tools: [{ name: `tool_${page}` }, 'no tool'] }));
  const [lists] = await listsAt(upstream.url);
  expect(lists?.tool).toEqual(Array.from({ length: 50 }, (_, page) => ({ name: `tool_${page}` })));
  expect(lists?.partial).toEqual(['tool']);
});

it('validate keeps what came before a page that fails, and says that there may be more', async () => {
  const upstream = await paged((page) =>
    page < 2 ? { tools: [{ name: `tool_${page}` }] } : undefined,
  );
  const [lists] = await listsAt(upstream.url);
  expect(lists?.tool).toEqual([{ name: 'tool_0' }, { name: 'tool_1' }]);
  expect(lists?.partial).toEqual(['tool']);
});

it('validate reads a list that names a cursor on its only page whole, with two requests', async () => {
  let count = 0;
  const upstream = await scripted(
    legacy({
      initialize: async ({ respondResult }) =>
        respondResult({ ...INITIALIZED, capabilities: { tools: {} } }),
      onList: ({ respondResult }) => {
        count += 1;
        respondResult({ tools: [{ name: 'a' }, { name: 'b' }], nextCursor: '' });
      },
    }),
  );
  const [lists] = await listsAt(upstream.url);
  expect([lists?.tool, count]).toEqual([[{ name: 'a' }, { name: 'b' }], 2]);
});

it('validate tells a kind that is not declared from one that is not listed', async () => {
  const methods: (string | undefined)[] = [];
  const answer = legacy({
    initialize: async ({ respondResult }) =>
      respondResult({ ...INITIALIZED, capabilities: { resources: {} } }),
  });
  const upstream = await scripted(async (exchange) => {
    methods.push(exchange.message?.method);
    if (exchange.message?.method !== 'resources/list') return answer(exchange);
    exchange.respondResult({ resources: [{ uri: 'a://1' }, 1] });
  });
  const [lists] = await listsAt(upstream.url);
  expect(lists).toEqual({ tool: [], prompt: [], resource: [{ uri: 'a://1' }] });
  expect(methods.slice(-3)).toEqual([
    'notifications/initialized',
    'resources/list',
    'resources/templates/list',
  ]);
});

it('validate does not keep the lists of what is only handed out', async () => {
  const { url } = await reference({});
  expect(await listsAt(url, { category: 'internal_mcp_credentials' })).toEqual([]);
});
