import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort, findNewerNode, launch, mustRun } from '@gatehouse/harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useSurroundings } from './surroundings.ts';

/** Installed here and not with the repository: it has an install script, and brings React and Vite. */
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';

const surroundings = useSurroundings();

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'inspector-'));
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', directory];
  await mustRun('npm', ['install', ...quiet, INSPECTOR], { cwd: directory });
});
afterAll(() => rm(directory, { recursive: true }));

/** The names of the tools that its command line lists, after the person has agreed. */
async function toolNames(mcpUrl: string, args: readonly string[]): Promise<string[]> {
  const home = await mkdtemp(join(directory, 'home-'));
  const script = join(directory, 'node_modules', '.bin', 'mcp-inspector');
  const call = ['--cli', mcpUrl, '--method', 'tools/list'];
  const child = await launch({
    command: findNewerNode(),
    args: [script, ...call, ...args],
    env: { HOME: home, MCP_AUTO_OPEN_ENABLED: 'true', MCP_INSPECTOR_SECRET_STORE: 'file' },
    readyWhen: (line) => line.includes('/oauth/authorize?'),
  });
  const printed = child.stdout + child.stderr;
  const [url] = /http:\S+\/oauth\/authorize\?\S+/.exec(printed) ?? [];
  expect((await fetch(await surroundings.agree(url))).status).toBe(200);
  const { code } = await child.exited;
  expect(code, child.stdout + child.stderr).toBe(0);
  const { tools } = JSON.parse(child.stdout.slice(child.stdout.indexOf('{')));
  return tools.map(({ name }: { name: string }) => name);
}

describe('the MCP Inspector', () => {
  it.each(['legacy', 'modern'])('needs no more than the URL, in the %s era', async (era) => {
    const { mcpUrl } = await surroundings.createApplication({ allowDynamicClients: true });
    const args = ['--transport', 'http', '--protocol-era', era];
    expect(await toolNames(mcpUrl, args)).toContain('test_simple_text');
  });

  it('guesses the transport of a URL that ends in /mcp', async () => {
    const { mcpUrl } = await surroundings.createApplication({ allowDynamicClients: true });
    expect(await toolNames(`${mcpUrl}/mcp`, [])).toContain('test_simple_text');
  });

  it('takes the id of an application', async () => {
    const { mcpUrl, clientId } = await surroundings.createApplication({
      redirectUris: ['http://127.0.0.1/oauth/callback'],
    });
    const callback = `http://127.0.0.1:${await findFreePort()}/oauth/callback`;
    const args = ['--client-id', clientId, '--callback-url', callback];
    expect(await toolNames(mcpUrl, ['--transport', 'http', ...args])).toContain('test_simple_text');
  });
});
