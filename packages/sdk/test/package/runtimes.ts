import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { findNode24, isRuntimeMissing, mustRun } from '@gatehouse/harness';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { packageRoot } from '../docs/support/generated-file.ts';
import type { Packed } from './packed.ts';
import { expectAllPassed, startSuiteServer } from './suite.ts';

/** In a package of this package's; they are for Linux on x64 only. */
function find(path: string): string | undefined {
  const isTheirs = process.platform === 'linux' && process.arch === 'x64';
  return isTheirs ? join(packageRoot, 'node_modules', path) : undefined;
}

const binaries = {
  'Node 24': findNode24(),
  Deno: find('@deno/linux-x64-glibc/deno'),
  Bun: find('@oven/bun-linux-x64/bin/bun'),
  workerd: find('@cloudflare/workerd-linux-64/bin/workerd'),
};

/** One suite on every platform the package is for. */
export function runtimes(packed: () => Packed): void {
  const folder = () => join(packed().folder, 'runtimes');

  function on(name: keyof typeof binaries, test: (binary: string) => Promise<void>): void {
    const binary = binaries[name];
    it.skipIf(isRuntimeMissing(name, binary))(`runs on ${name}`, () => test(binary ?? ''));
  }

  it('runs on the Node of the tests', async () => {
    const server = await startSuiteServer();
    const args = ['main.js', server.origin];
    expectAllPassed(JSON.parse(await mustRun(process.execPath, args, { cwd: folder() })));
  });

  on('Node 24', async (node) => {
    expect(await mustRun(node, ['--version'], { cwd: folder() })).toMatch(/^v24\./);
    const server = await startSuiteServer();
    const args = ['main.js', server.origin];
    expectAllPassed(JSON.parse(await mustRun(node, args, { cwd: folder() })));
  });

  on('Deno', async (deno) => {
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
    expectAllPassed(JSON.parse(await mustRun(deno, args, { cwd: folder(), env })));
  });

  on('Bun', async (bun) => {
    const server = await startSuiteServer();
    const args = ['run', 'main.js', server.origin];
    expectAllPassed(JSON.parse(await mustRun(bun, args, { cwd: folder() })));
  });

  on('workerd', async (workerd) => {
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
    const worker = spawn(workerd, args, {
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
