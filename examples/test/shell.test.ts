import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isRuntimeMissing, launchGatehouse, runCommand } from '@gatehouse/harness';
import { startUpstream } from '@gatehouse/testing';
import { describe, expect, it } from 'vitest';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const found = spawnSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).stdout.trim();

/** The commands of the README, for a server and an upstream that run here. */
function commandsFor(origin: string, upstreamUrl: string): string {
  const [, commands = ''] = /```sh\n([\s\S]*?)```/.exec(readme) ?? [];
  return commands
    .replaceAll('http://127.0.0.1:3000', origin)
    .replaceAll('https://mcp.example.com/mcp', upstreamUrl);
}

describe.skipIf(isRuntimeMissing('curl', found || undefined))(
  'the shell commands of the README',
  () => {
    it('lead from the first integration to the first call', async () => {
      const upstream = await startUpstream({ requireBearer: 'your-token-at-the-tracker' });
      const server = await launchGatehouse();
      try {
        const commands = commandsFor(server.origin, upstream.url);
        const { code, output } = await runCommand('sh', ['-euc', commands], {
          cwd: '/',
          env: { GATEHOUSE_ACCESS_TOKEN: server.bootstrapToken },
        });
        expect(code, output).toBe(0);
        expect(output).toContain('"status":"connected"');
        expect(output).toContain('"status":"valid"');
        expect(output).toContain('"serverInfo":{"name":"reference-upstream"');
      } finally {
        await server.dispose();
        await upstream.close();
      }
    }, 240_000);
  },
);
