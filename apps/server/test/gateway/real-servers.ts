import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findFreePort } from '@gatehouse/harness';
import { vi } from 'vitest';

const require = createRequire(import.meta.url);

/** A server of MCP that others have written. */
interface Program {
  readonly name: string;
  readonly manifest: string;
  /** What is started, in the package. */
  readonly file: string;
  readonly args: (port: number) => readonly string[];
}

export const EVERYTHING: Program = {
  name: 'server-everything',
  manifest: require.resolve('@modelcontextprotocol/server-everything/package.json'),
  file: 'dist/index.js',
  args: () => ['streamableHttp'],
};

export const PLAYWRIGHT: Program = {
  name: 'playwright-mcp',
  manifest: require.resolve('@playwright/mcp/package.json'),
  file: 'cli.js',
  args: (port) => ['--port', String(port), '--headless', '--allowed-hosts', '*'],
};

export interface RealServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts it from its package. What it writes goes with its folder. */
export async function startRealServer(
  { manifest, file, args }: Program,
  ...more: string[]
): Promise<RealServer> {
  const port = await findFreePort();
  const cwd = await mkdtemp(join(tmpdir(), 'real-server-'));
  const script = join(dirname(manifest), file);
  const child = spawn(process.execPath, [script, ...args(port), ...more], {
    ...{ cwd, stdio: 'ignore' },
    env: { ...process.env, PORT: String(port), TMPDIR: cwd },
  });
  const url = `http://127.0.0.1:${port}/mcp`;
  await vi.waitFor(() => fetch(url), { timeout: 60_000, interval: 200 });
  return {
    url,
    async close() {
      child.kill();
      await once(child, 'exit');
      await rm(cwd, { recursive: true, maxRetries: 5 });
    },
  };
}
