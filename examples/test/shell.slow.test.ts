import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isRuntimeMissing, launchGatehouse, runCommand } from '@gatehouse/harness';
import { startIdentityProvider, startUpstream, type UpstreamOptions } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const found = spawnSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).stdout.trim();

const MARK = /<!-- run by examples\/test\/shell.slow.test.ts -->\n```sh\n([\s\S]*?)```/g;

/** The commands of a page, for a server and an upstream that run here. */
function commandsFor(page: string, origin: string, upstreamUrl: string): string {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  return (
    [...text.matchAll(MARK)]
      .map(([, commands = '']) => commands)
      .join('\n')
      .replaceAll('http://127.0.0.1:3000', origin)
      // The tool of the server in the page, and that of the one here.
      .replaceAll('get-sum', 'add')
      .replaceAll(/https:\/\/mcp\.example\.com\/mcp|http:\/\/127\.0\.0\.1:3001\/mcp/g, upstreamUrl)
  );
}

describe.skipIf(isRuntimeMissing('curl', found || undefined))('the shell commands', () => {
  let server: Awaited<ReturnType<typeof launchGatehouse>>;

  beforeAll(async () => {
    server = await launchGatehouse();
  });
  afterAll(() => server?.dispose());

  /** What the commands of a page print. */
  async function outputOf(page: string, options: UpstreamOptions): Promise<string> {
    const upstream = await startUpstream(options);
    try {
      const commands = commandsFor(page, server.origin, upstream.url);
      const { code, output } = await runCommand('sh', ['-euc', commands], {
        cwd: fileURLToPath(new URL('../../', import.meta.url)),
        env: { GATEHOUSE_ACCESS_TOKEN: server.bootstrapToken },
      });
      expect(code, output).toBe(0);
      return output;
    } finally {
      await upstream.close();
    }
  }

  it('of the first five minutes lead to a URL for clients, and to a call', async () => {
    const output = await outputOf('start/index.md', {});
    expect(output).toContain('"status":"valid"');
    expect(output).toMatch(/The URL for MCP clients: http:\S+\/mcp\/[\w-]+\n42\n$/);
  }, 240_000);

  it('of the page about providers lead from a URL to a link that connects an account', async () => {
    const provider = await startIdentityProvider();
    try {
      const output = await outputOf('run/providers.md', { oauth: provider });
      expect(output).toContain('"status":"pending"');
      expect(output).toContain('"stage":"discovery","status":"passed"');
      expect(output).toContain('"stage":"registration","status":"passed"');
      expect(output).toMatch(/"authorizationUrl":"http:[^"]+\/connect\/[^"]+"/);
    } finally {
      await provider.close();
    }
  }, 240_000);

  it('of the page about plain HTTP lead from an integration to a call', async () => {
    const output = await outputOf('code/http.md', { requireBearer: 'your-token-at-the-tracker' });
    expect(output).toContain('"status":"connected"');
    expect(output).toContain('"status":"valid"');
    expect(output).toContain('"serverInfo":{"name":"reference-upstream"');
  }, 240_000);
});
