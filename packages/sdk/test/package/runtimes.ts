import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { packageRoot } from '../docs/support/generated-file.ts';
import { mustRun } from '../support/run.ts';
import { json, problem, type Received, startServer } from '../support/server.ts';
import type { Packed } from './packed.ts';

/** Present where the platform is the one that these packages are for. */
const binaries = {
  deno: join(packageRoot, 'node_modules/@deno/linux-x64-glibc/deno'),
  bun: join(packageRoot, 'node_modules/@oven/bun-linux-x64/bin/bun'),
  workerd: join(packageRoot, 'node_modules/@cloudflare/workerd-linux-64/bin/workerd'),
};

const isMissing = (binary: string) =>
  process.platform !== 'linux' || process.arch !== 'x64' || !existsSync(binary);

const CASES = 12;

/** One suite on every platform the package is for. */
export function runtimes(packed: () => Packed): void {
  const folder = () => join(packed().folder, 'runtimes');

  function expectAllPassed(verdicts: Record<string, string>): void {
    expect(Object.entries(verdicts).filter(([, verdict]) => verdict !== 'passed')).toEqual([]);
    expect(Object.keys(verdicts)).toHaveLength(CASES);
  }

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

/** What the suite's cases talk to. */
function startSuiteServer() {
  const keys: unknown[] = [];
  const pages: Record<string, object> = {
    '/api/v1/integrations': { items: [{ name: 'A' }, { name: 'B' }], nextCursor: 'c' },
    '/api/v1/integrations?cursor=c': { items: [{ name: 'C' }], nextCursor: null },
  };
  return startServer((response, { method, target, headers }: Received) => {
    if (headers.authorization !== 'Bearer gh_pat_test') {
      return problem(response, 401, 'unauthenticated');
    }
    if (method === 'DELETE') return response.writeHead(204).end();
    if (method === 'POST') {
      keys.push(headers['idempotency-key']);
      if (keys.length === 1) return problem(response, 503, 'overloaded');
      return json(response, 201, { integration: { keys } });
    }
    switch (target.split('/').at(-1)) {
      case 'unknown':
        return problem(response, 404, 'not_found');
      case 'redirect':
        return response.writeHead(307, { location: '/api/v1/me' }).end();
      case 'stalled':
        return response.writeHead(200, { 'content-length': '99' }).write('{"integration":');
      case 'a%20b%2Fc':
        return json(response, 200, { integration: { id: 'a b/c' } }, { etag: '"v1"' });
      default:
        return json(response, 200, pages[target] ?? {});
    }
  });
}
