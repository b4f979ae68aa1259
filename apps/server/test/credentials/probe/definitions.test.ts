import type { JsonObject } from '@gatehouse/contract';
import { expect, it } from 'vitest';
import { INITIALIZED, legacy, NONE, probe, reference, scripted } from './support.ts';

type Options = Parameters<typeof probe>[2];

async function toolsAt(url: string, options: Options = {}): Promise<readonly JsonObject[][]> {
  const noted: JsonObject[][] = [];
  const noteTools = (_target: unknown, tools: readonly JsonObject[]) => void noted.push([...tools]);
  const result = await probe(url, NONE, { authMode: 'none', noteTools, ...options });
  expect(result.status).toBe('valid');
  return noted;
}

it('validate finds the definitions of all tools', async () => {
  const [tools = []] = await toolsAt((await reference({})).url);
  expect(tools.length).toBeGreaterThan(20);
  expect(tools).toContainEqual(expect.objectContaining({ name: 'test_simple_text' }));
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

it('validate follows pages up to the twentieth', async () => {
  const upstream = await paged((page) => ({ tools: [{ name: `tool_${page}` }, 'no tool'] }));
  const [tools] = await toolsAt(upstream.url);
  expect(tools).toEqual(Array.from({ length: 20 }, (_, page) => ({ name: `tool_${page}` })));
});

it('validate keeps what came before a page that fails', async () => {
  const upstream = await paged((page) =>
    page < 2 ? { tools: [{ name: `tool_${page}` }] } : undefined,
  );
  expect(await toolsAt(upstream.url)).toEqual([[{ name: 'tool_0' }, { name: 'tool_1' }]]);
});

it('validate does not keep the tools of what is only handed out', async () => {
  const { url } = await reference({});
  expect(await toolsAt(url, { category: 'internal_mcp_credentials' })).toEqual([]);
});
