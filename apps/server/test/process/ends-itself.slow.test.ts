import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { LaunchedGatehouse } from '@gatehouse/harness';
import { expect, test, vi } from 'vitest';
import { createApi } from './support/api.ts';
import { runCommandHere } from './support/run-command.ts';
import { startRefused, startServer, temporaryDirectory } from './support/servers.ts';

vi.setConfig({ testTimeout: 240_000 });

const hangOnSignal = new URL('./support/hang-on-signal.mjs', import.meta.url).href;
const shortWatch = new URL('./support/short-watch.mjs', import.meta.url).href;
const failDiskOnSignal = new URL('./support/fail-disk-on-signal.mjs', import.meta.url).href;

/** Has Node load these modules before the server. */
const loading = (...modules: string[]) => ({
  NODE_OPTIONS: modules.map((module) => `--import=${module}`).join(' '),
});

/** One installation: its server ends itself in each test, and is started again with what it has acknowledged. */
const dataDir = temporaryDirectory();
const kept: string[] = [];
let server: LaunchedGatehouse;

/** With everything that was acknowledged. */
async function startAgain(env: Record<string, string> = {}): Promise<void> {
  server = await startServer({ dataDir, bootstrapToken: server.bootstrapToken, env });
  for (const id of kept) await createApi(server).expect(200, 'GET', `/integrations/${id}`);
}

const create = (name: string) =>
  createApi(server).call('POST', '/integrations', {
    body: { name, url: 'http://127.0.0.1:1/mcp' },
  });

async function createKept(): Promise<void> {
  const { status, body } = await create('Kept');
  expect(status).toBe(201);
  kept.push(body.integration.id);
}

const fatalLines = () =>
  server.stdout
    .split('\n')
    .filter((line) => line.includes('"level":"fatal"'))
    .map((line) => JSON.parse(line));

test('a server that was suspended for longer than its watch waits goes on', async () => {
  server = await startServer({ dataDir, env: loading(hangOnSignal, shortWatch) });
  server.pause();
  await delay(5_000);
  server.resume();
  await delay(2_000);
  await createKept();
});

test('a server that hangs is ended with one sentence, and loses nothing', async () => {
  process.kill(server.pid, 'SIGUSR2');
  // The main thread handles it, so it is not what ends the process.
  process.kill(server.pid, 'SIGTERM');
  expect(await server.exited).toEqual({ code: null, signal: 'SIGKILL' });
  expect(server.stderr).toMatch(/^Gatehouse has not answered for 3 seconds and ends itself, .*\n$/);
  await startAgain(loading(failDiskOnSignal));
});

test('the command reaches the server that runs again after one was killed', async () => {
  const ran = await runCommandHere(['sign-in-link', 'owner@localhost'], {
    GATEHOUSE_DATA_DIR: dataDir,
  });
  expect([ran.code, ran.stderr]).toEqual([0, '']);
});

test('a server reports a failing disk, ends, and serves all that it acknowledged from a good one', async () => {
  await createKept();
  process.kill(server.pid, 'SIGUSR2');
  await delay(500);
  const refused = await create('Refused');
  expect([refused.status, refused.body.code]).toEqual([503, 'database_unavailable']);
  const ended = await Promise.race([server.exited, delay(10_000)]);
  expect(ended).toEqual({ code: 1, signal: null });
  expect(fatalLines()).toMatchObject([
    { reason: 'EIO', msg: expect.stringContaining('can no longer be written (EIO). Make room') },
  ]);
  await startAgain();
});

test('without its lock file a suspended server still keeps others out, and ends in one sentence when it goes on', async () => {
  await createKept();
  server.pause();
  rmSync(join(dataDir, 'lock'));
  const second = await startRefused({ dataDir });
  expect([second.code, second.stdout]).toEqual([1, '']);
  expect(second.stderr).toMatch(/is in use by another Gatehouse process\.[^\n]*\n$/);
  server.resume();
  expect(await Promise.race([server.exited, delay(10_000)])).toEqual({ code: 1, signal: null });
  expect(fatalLines()).toMatchObject([
    { reason: 'lock_lost', msg: expect.stringContaining('can no longer be written (lock_lost)') },
  ]);
  await startAgain();
  expect(await server.stop()).toEqual({ code: 0, signal: null });
  expect(server.stderr).toBe('');
  expect(existsSync(join(dataDir, 'control.sock'))).toBe(false);
});

const deployed = (file: string) =>
  readFileSync(new URL(`../../../../deploy/${file}`, import.meta.url), 'utf8');

test('systemd and compose restart a server that has ended, but do not end one that hangs', () => {
  const unit = deployed('systemd/gatehouse@.service');
  expect(unit).toContain('Restart=on-failure');
  expect(unit).not.toContain('WatchdogSec');
  const compose = deployed('compose.yaml');
  expect(compose).toContain('restart: unless-stopped');
  expect(compose).not.toContain('autoheal');
});
