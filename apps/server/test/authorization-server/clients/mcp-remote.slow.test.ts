import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { findFreePort } from '@gatehouse/harness';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useSurroundings } from './surroundings.ts';

const surroundings = useSurroundings();
const { resolve } = createRequire(import.meta.url);
const script = join(dirname(resolve('mcp-remote/package.json')), 'dist', 'proxy.js');

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mcp-remote-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** The first authorization URL that it prints. It finds no browser, having no display. */
async function authorizationUrlOf(output: Readable): Promise<string> {
  const printed: string[] = [];
  for await (const line of createInterface({ input: output })) {
    printed.push(line);
    if (line.startsWith(`${surroundings.server.origin}/oauth/authorize?`)) return line;
  }
  throw new Error(`It asked nobody:\n${printed.join('\n')}`);
}

/** A desktop client that starts mcp-remote to reach a gateway URL. */
async function toolNames(mcpUrl: string, args: readonly string[]): Promise<string[]> {
  const { PATH = '' } = process.env;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [script, mcpUrl, ...args],
    env: { PATH, HOME: directory, MCP_REMOTE_CONFIG_DIR: directory },
    stderr: 'pipe',
  });
  const asked = authorizationUrlOf(transport.stderr as Readable).then(async (url) => {
    expect((await fetch(await surroundings.agree(url))).status).toBe(200);
  });
  const client = new Client({ name: 'desktop', version: '1' });
  await Promise.all([client.connect(transport), asked]);
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

describe('mcp-remote', () => {
  it('needs no more than the URL, by registration', async () => {
    const { mcpUrl } = await surroundings.createApplication({ allowDynamicClients: true });
    expect(await toolNames(mcpUrl, [])).toContain('test_simple_text');
  });

  it('takes the id of an application', async () => {
    const port = await findFreePort();
    const { mcpUrl, clientId } = await surroundings.createApplication({
      redirectUris: ['http://localhost/oauth/callback'],
    });
    const info = JSON.stringify({ client_id: clientId });
    const args = [String(port), '--static-oauth-client-info', info];
    expect(await toolNames(mcpUrl, args)).toContain('test_simple_text');
  });
});
