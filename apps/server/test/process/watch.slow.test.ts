import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createApi } from './support/api.ts';
import { startServer, temporaryDirectory } from './support/servers.ts';

vi.setConfig({ testTimeout: 120_000 });

const hangOnSignal = new URL('./support/hang-on-signal.mjs', import.meta.url).href;
const shortWatch = new URL('./support/short-watch.mjs', import.meta.url).href;
const env = { NODE_OPTIONS: `--import=${hangOnSignal} --import=${shortWatch}` };

const deployed = (file: string) =>
  readFileSync(new URL(`../../../../deploy/${file}`, import.meta.url), 'utf8');

test.concurrent('a server that hangs is ended with one sentence, and loses nothing', async () => {
  const dataDir = temporaryDirectory();
  const server = await startServer({ dataDir, env });
  const api = createApi(server);
  const { body } = await api.expect(201, 'POST', '/integrations', {
    body: { name: 'Kept', url: 'http://127.0.0.1:1/mcp' },
  });
  process.kill(server.pid, 'SIGUSR2');
  // The main thread handles it, so it is not what ends the process.
  process.kill(server.pid, 'SIGTERM');
  expect(await server.exited).toEqual({ code: null, signal: 'SIGKILL' });
  expect(server.stderr).toMatch(/^Gatehouse has not answered for 3 seconds and ends itself, .*\n$/);

  const next = await startServer({ dataDir, bootstrapToken: server.bootstrapToken });
  await createApi(next).expect(200, 'GET', `/integrations/${body.integration.id}`);
  expect(await next.stop()).toEqual({ code: 0, signal: null });
});

test.concurrent('a server that was suspended for longer than that goes on', async () => {
  const server = await startServer({ env });
  server.pause();
  await delay(5_000);
  server.resume();
  await delay(2_000);
  await createApi(server).expect(200, 'GET', '/me');
  expect(await server.stop()).toEqual({ code: 0, signal: null });
});

test('systemd and compose restart a server that has ended, but do not end one that hangs', () => {
  const unit = deployed('systemd/gatehouse@.service');
  expect(unit).toContain('Restart=on-failure');
  expect(unit).not.toContain('WatchdogSec');
  const compose = deployed('compose.yaml');
  expect(compose).toContain('restart: unless-stopped');
  expect(compose).not.toContain('autoheal');
});
