import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@gatehouse/harness';
import { expect, test, vi } from 'vitest';
import { afterFile } from '../support/after-file.ts';
import { temporaryDirectory } from './support/servers.ts';

const LIMIT = { timeout: 300_000, interval: 200 };
vi.setConfig({ testTimeout: 2 * LIMIT.timeout });

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** `npm start` without a built documentation, as after a fresh clone. */
async function npmStart(): Promise<{ child: ChildProcess; origin: string }> {
  rmSync(join(root, 'apps/server/public/docs'), { recursive: true, force: true });
  const port = await findFreePort();
  const child = spawn('npm', ['start'], {
    cwd: root,
    stdio: 'ignore',
    env: {
      ...process.env,
      GATEHOUSE_PORT: String(port),
      GATEHOUSE_DATA_DIR: temporaryDirectory(),
    },
  });
  afterFile(() => void child.kill());
  return { child, origin: `http://127.0.0.1:${port}` };
}

async function isServed(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => undefined);
  return response?.status === 200;
}

/** The script that builds the documentation, and what it has started. */
function isBuildingSite(): boolean {
  const processes = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
  return processes.some(
    (args) => args.includes(root) && /docs-site\.mjs|vitepress\.js build/.test(args),
  );
}

test('npm start builds the documentation, which the running server then shows', async () => {
  const { child, origin } = await npmStart();
  await vi.waitUntil(() => isServed(`${origin}/console`), LIMIT);
  await vi.waitUntil(() => isServed(`${origin}/docs/`), LIMIT);
  child.kill();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('stopping npm start stops its build of the documentation', async () => {
  const { child, origin } = await npmStart();
  await vi.waitUntil(() => isServed(`${origin}/console`), LIMIT);
  await vi.waitUntil(isBuildingSite, LIMIT);
  child.kill();
  await once(child, 'exit');
  await vi.waitUntil(() => !isBuildingSite(), { timeout: 2_000, interval: 50 });
});
