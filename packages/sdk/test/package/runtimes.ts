import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from '@gatehouse/testing';
import { build } from 'esbuild';
import { it } from 'vitest';
import { packageRoot } from '../docs/support/generated-file.ts';
import type { Packed } from './packed.ts';
import { expectAllPassed, startSuiteServer } from './suite.ts';

/** Present where the platform is the one that these packages are for. */
const binaries = {
  deno: join(packageRoot, 'node_modules/@deno/linux-x64-glibc/deno'),
  bun: join(packageRoot, 'node_modules/@oven/bun-linux-x64/bin/bun'),
  workerd: join(packageRoot, 'node_modules/@cloudflare/workerd-linux-64/bin/workerd'),
};

const isMissing = (binary: string) =>
  process.platform !== 'linux' || process.arch !== 'x64' || !existsSync(binary);

/** One suite on every platform the package is for. */
export function runtimes(packed: () => Packed): void {
  const folder = () => join(packed().folder, 'runtimes');

  it('runs on Node', async () => {
    const server = await startSuiteServer();
    const args = ['main.js', server.origin];
    expectAllPassed(JSON.parse(await mustRun(process.execPath, args, { cwd: folder() })));
  });

  it.skipIf(isMissing(binaries.deno))('runs on Deno', async () => {
    const server = await startSuiteServer();
    const flags = [
      '--quiet',
      '--no-lock',
      '--node-modules-dir=manual',
      '--allow-net',
      '--allow-env',
    ];
    const args = ['run', ...flags, 'main.js', server.origin];
    const env = { DENO_DIR: join(folder(), 'deno-cache'), DENO_NO_UPDATE_CHECK: '1' };
    expectAllPassed(JSON.parse(await mustRun(binaries.deno, args, { cwd: folder(), env })));
  });

  it.skipIf(isMissing(binaries.bun))('runs on Bun', async () => {
    const server = await startSuiteServer();
    const args = ['run', 'main.js', server.origin];
    expectAllPassed(JSON.parse(await mustRun(binaries.bun, args, { cwd: folder() })));
  });

  it.skipIf(isMissing(binaries.workerd))('runs on workerd', async () => {
    const server = await startSuiteServer();
    await build({
      entryPoints: [join(folder(), 'worker.js')],
      outfile: join(folder(), 'bundle/worker.js'),
      bundle: true,
      format: 'esm',
      platform: 'neutral',
      conditions: ['workerd', 'worker'],
      logLevel: 'silent',
    });
    const args = ['serve', 'workerd.capnp', '--control-fd=3'];
    const worker = spawn(binaries.workerd, args, {
      cwd: folder(),
      stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    });
    try {
      const control = worker.stdio[3];
      if (!control) throw new Error('workerd has no control channel');
      const [line] = await once(control, 'data');
      const { port } = JSON.parse(String(line)) as { port: number };
      const answer = await fetch(`http://127.0.0.1:${port}/?server=${server.origin}`);
      expectAllPassed((await answer.json()) as Record<string, string>);
    } finally {
      worker.kill();
      await once(worker, 'close');
    }
  });
}
