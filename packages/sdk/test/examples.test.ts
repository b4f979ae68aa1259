import { readFile } from 'node:fs/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { json, startServer } from './support/server.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

it('the quick start registers, lists, creates and attaches', async () => {
  const mcpUrlTemplate = 'https://gatehouse.example.com/mcp/a1/{integrationId}';
  const integration = { id: 'i1', name: 'Issue tracker', validationStatus: 'pending' };
  const server = await startServer((response, { method, target }) => {
    if (target.includes('/a1/')) response.writeHead(204).end();
    else if (target.endsWith('/applications')) {
      json(response, 201, { application: { id: 'a1', mcpUrlTemplate }, oauth: {} });
    } else if (method === 'POST') json(response, 201, { integration });
    else json(response, 200, { items: [integration], nextCursor: null });
  });
  const log = vi.spyOn(console, 'log').mockReturnValue();
  vi.stubEnv('GATEHOUSE_BASE_URL', server.origin);
  vi.stubEnv('GATEHOUSE_ACCESS_TOKEN', 'gh_pat_test');

  await import('../src/gatehouse.examples.ts');

  expect(server.received.map(({ method, target }) => `${method} ${target}`)).toEqual([
    'POST /api/v1/integrations',
    'GET /api/v1/integrations',
    'POST /api/v1/applications',
    'POST /api/v1/applications/a1/integrations/i1',
  ]);
  expect(log.mock.calls).toEqual([
    ['Issue tracker', 'pending'],
    ['MCP clients connect to', mcpUrlTemplate],
  ]);
});

it('the README shows the quick start as it is compiled', async () => {
  const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');
  const example = await read('../src/gatehouse.examples.ts');
  const region = example.match(/\/\/#region quick-start\n(.*?)\/\/#endregion/s)?.[1];
  expect(region).toBeDefined();
  expect(await read('../README.md')).toContain(`\`\`\`ts\n${region}\`\`\``);
});
