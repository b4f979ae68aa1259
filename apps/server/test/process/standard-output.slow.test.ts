import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { findFreePort, serverArgs } from '@gatehouse/harness';
import { expect, test, vi } from 'vitest';
import { startServer, temporaryDirectory } from './support/servers.ts';

vi.setConfig({ testTimeout: 240_000 });

async function startInto(stdout: number | 'pipe', dataDir: string) {
  const child = spawn(process.execPath, serverArgs, {
    env: {
      GATEHOUSE_HOST: '127.0.0.1',
      GATEHOUSE_PORT: String(await findFreePort()),
      GATEHOUSE_DATA_DIR: dataDir,
    },
    stdio: ['ignore', stdout, 'pipe'],
  });
  child.stdout?.destroy();
  let stderr = '';
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  const [code] = await once(child, 'close');
  return { code, stderr };
}

test.each([
  ['nobody reads', () => 'pipe' as const],
  ['is on a full disk', () => openSync('/dev/full', 'w')],
])(
  'a first start ends in one sentence if its standard output %s, and the next one shows the token',
  async (_, open) => {
    const dataDir = temporaryDirectory();
    const { code, stderr } = await startInto(open(), dataDir);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Cannot write to standard output: .*\n$/);
    const next = await startServer({ dataDir, env: { GATEHOUSE_BOOTSTRAP_TOKEN: '' } });
    expect(next.stdout).toMatch(/gh_pat_[A-Za-z0-9_-]{43}/);
    await next.stop();
  },
);
