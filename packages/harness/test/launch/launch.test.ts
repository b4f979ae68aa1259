import { afterEach, describe, expect, it } from 'vitest';
import { findFreePort } from '../../src/launch/free-port.ts';
import { LaunchError, type LaunchOptions, launch } from '../../src/launch/launch.ts';
import { findNewerNode } from '../../src/node-binary.ts';

const stops: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function run(script: string, options: Partial<LaunchOptions> = {}) {
  const started = await launch({
    command: process.execPath,
    args: ['--eval', script],
    readyWhen: (line) => line === 'ready',
    ...options,
  });
  stops.push(started.kill9);
  return started;
}

const untilSignal = `
  console.error('to stderr');
  process.on('SIGTERM', () => { console.log('bye'); process.exit(7); });
  setInterval(() => {}, 1000);
  console.log('ready');
`;

describe('launch', () => {
  it('waits for the line, captures both outputs and gives the exit code', async () => {
    const started = await run(untilSignal);
    expect(await started.stop()).toEqual({ code: 7, signal: null });
    expect(started.stdout).toBe('ready\nbye\n');
    expect(started.stderr).toBe('to stderr\n');
    expect(started.hasWritten('stderr')).toBe(true);
    expect(started.hasWritten('a secret')).toBe(false);
  });

  it('waits for a URL that answers 200', async () => {
    const port = await findFreePort();
    const script = `
      let asked = 0;
      require('node:http').createServer((_, response) => {
        response.statusCode = ++asked < 3 ? 503 : 200;
        response.end(String(asked));
      }).listen(${port}, '127.0.0.1');
    `;
    await run(script, { readyWhen: { url: `http://127.0.0.1:${port}/` } });
    const response = await fetch(`http://127.0.0.1:${port}/`);
    expect(await response.text()).toBe('4');
  });

  it('inherits nothing of the environment but PATH and HOME', async () => {
    process.env.LAUNCH_TEST = 'inherited';
    const started = await run(
      `console.log(Object.keys(process.env).join()); console.log('ready')`,
      {
        env: { GIVEN: 'yes' },
      },
    );
    expect(started.stdout.split('\n')[0]?.split(',').sort()).toEqual(['GIVEN', 'HOME', 'PATH']);
  });

  it('kills without giving a chance to tidy up', async () => {
    const started = await run(untilSignal);
    expect(await started.kill9()).toEqual({ code: null, signal: 'SIGKILL' });
    expect(started.stdout).not.toContain('bye');
  });

  it('pauses and resumes', async () => {
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}/`;
    const script = `require('node:http').createServer((_, r) => r.end()).listen(${port}, '127.0.0.1')`;
    const started = await run(script, { readyWhen: { url } });
    started.pause();
    await expect(fetch(url, { signal: AbortSignal.timeout(200) })).rejects.toThrow();
    started.resume();
    expect((await fetch(url)).status).toBe(200);
  });

  it('reads memory and CPU time', async () => {
    const script = `
      const kept = Buffer.alloc(64 * 1024 * 1024, 1);
      while (process.cpuUsage().user < 200_000) for (let i = 0; i < 1e6; i += 1);
      console.log('ready');
      setInterval(() => kept, 1000);
    `;
    const { residentBytes, userSeconds, systemSeconds } = await (await run(script)).usage();
    expect(residentBytes).toBeGreaterThan(64 * 1024 * 1024);
    expect(userSeconds).toBeGreaterThan(0.1);
    expect(userSeconds).toBeLessThan(10);
    expect(systemSeconds).toBeLessThan(userSeconds);
  });

  it('rejects with the output when the process ends before it is ready', async () => {
    const error = await run(`console.error('no luck'); process.exit(3)`).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(LaunchError);
    expect(error).toMatchObject({ code: 'exited_before_ready', exit: { code: 3, signal: null } });
    expect((error as LaunchError).output.stderr).toBe('no luck\n');
  });

  it('kills a process that is not ready in time', async () => {
    const error = await run('setInterval(() => {}, 1000)', { timeout: 300 }).catch((e) => e);
    expect(error).toMatchObject({ code: 'not_ready_in_time' });
  });

  it('rejects when there is no such command', async () => {
    await expect(run('', { command: '/no/such/command' })).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });

  it('runs another Node binary', async () => {
    const started = await run(`console.log(process.version); console.log('ready')`, {
      command: findNewerNode(),
    });
    expect(started.stdout).toMatch(/^v2[2-9]\./);
  });
});
