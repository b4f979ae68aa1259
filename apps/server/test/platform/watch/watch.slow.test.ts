import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, cpSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

const serverRoot = fileURLToPath(new URL('../../../', import.meta.url));
const outDir = join(serverRoot, '.cache', 'watch');
const program = join(outDir, 'watched.js');

/** Milliseconds: twice the silence after which the program's watch ends it. */
const LONG = 2_000;

beforeAll(async () => {
  const entry = {
    watched: join(serverRoot, 'test/platform/watch/watched.ts'),
    'watch-worker': join(serverRoot, 'src/platform/watch/watch-worker.ts'),
  };
  // Bundled, it would need what only CommonJS has; and its packages are not those of the working directory.
  const outside = { external: [/^[^./]/] };
  await build({
    entry,
    outDir,
    ...outside,
    format: 'esm',
    splitting: false,
    config: false,
    silent: true,
  });
});

async function startWatched(
  file = program,
  stderr: number | 'pipe' = 'pipe',
): Promise<ChildProcess> {
  const child = fork(file, { execArgv: [], stdio: ['ignore', 'pipe', stderr, 'ipc'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('it ended at its start')));
  await Promise.race([once(child, 'message'), ended]);
  return child;
}

/** What a process writes to standard error, and how it ends. */
async function endOf(child: ChildProcess): Promise<{ stderr: string; how: string }> {
  let stderr = '';
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  const [code, signal] = await once(child, 'close');
  return { stderr, how: signal ?? String(code) };
}

/** Whether a process can be made the first of a container here. */
const canContain = spawnSync('unshare', ['-pf', 'true']).status === 0;

describe('a process that is watched', () => {
  it.each(['spin', 'block'])(
    'is ended with one sentence when its main thread hangs: %s',
    async (order) => {
      const child = await startWatched();
      const ended = endOf(child);
      child.send(order);
      const { stderr, how } = await ended;
      expect(how).toBe('SIGKILL');
      expect(stderr).toMatch(/^Gatehouse has not answered for 1 seconds and ends itself, .*\n$/);
    },
  );

  it('is ended also when nobody reads its standard error', async () => {
    const pipe = join(outDir, `unread-${process.pid}`);
    spawnSync('mkfifo', [pipe]);
    const stderr = openSync(pipe, 'r+');
    rmSync(pipe);
    onTestFinished(() => closeSync(stderr));
    const child = await startWatched(program, stderr);
    child.send('write');
    const [, signal] = await once(child, 'exit');
    expect(signal).toBe('SIGKILL');
  });

  it('survives being suspended', async () => {
    const child = await startWatched();
    child.kill('SIGSTOP');
    await delay(LONG);
    child.kill('SIGCONT');
    await delay(LONG);
    child.send('answer');
    expect(await once(child, 'message')).toContain('here');
  });

  it('survives a breakpoint', async () => {
    const child = await startWatched();
    child.send('debug');
    expect(await once(child, 'message')).toContain('here');
  });

  it('ends by itself when it has nothing more to do', async () => {
    const child = await startWatched();
    const ended = endOf(child);
    child.send('rest');
    expect(await ended).toEqual({ stderr: '', how: '0' });
  });

  it('goes on when the watch itself fails, and says so', async () => {
    const alone = join(outDir, 'without-worker', 'watched.js');
    cpSync(program, alone);
    const child = await startWatched(alone);
    const [line] = await once(child.stdout ?? child, 'data');
    expect(String(line)).toContain('the process is not watched');
    child.send('answer');
    expect(await once(child, 'message')).toContain('here');
  });

  it.runIf(canContain)('is ended also as the first process of a container', async () => {
    const ipc = ['ignore', 'ignore', 'pipe', 'ipc'] as const;
    const args = ['-pf', '--kill-child', process.execPath, program];
    const container = spawn('unshare', args, { stdio: [...ipc] });
    onTestFinished(() => void container.kill('SIGKILL'));
    await once(container, 'message');
    const ended = endOf(container);
    container.send('spin');
    const { stderr, how } = await ended;
    expect(how).not.toBe('0');
    expect(stderr).toContain('Gatehouse has not answered');
  });
});
