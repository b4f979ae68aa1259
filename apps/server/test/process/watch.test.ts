import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createApi } from './support/api.ts';
import { startServer, temporaryDirectory } from './support/servers.ts';

vi.setConfig({ testTimeout: 240_000 });

const hangOnSignal = new URL('./support/hang-on-signal.mjs', import.meta.url).href;

test.concurrent('a server that hangs is ended after 30 seconds with one sentence, and loses nothing', async () => {
  const dataDir = temporaryDirectory();
  const env = { NODE_OPTIONS: `--import=${hangOnSignal}` };
  const server = await startServer({ dataDir, env });
  const api = createApi(server);
  const { body } = await api.expect(201, 'POST', '/integrations', {
    body: { name: 'Kept', url: 'http://127.0.0.1:1/mcp' },
  });
  const hungAt = performance.now();
  process.kill(server.pid, 'SIGUSR2');
  expect(await server.exited).toEqual({ code: null, signal: 'SIGKILL' });
  expect(performance.now() - hungAt).toBeGreaterThan(29_000);
  expect(server.stderr).toMatch(
    /^Gatehouse has not answered for 30 seconds and ends itself, .*\n$/,
  );

  const next = await startServer({ dataDir, bootstrapToken: server.bootstrapToken });
  await createApi(next).expect(200, 'GET', `/integrations/${body.integration.id}`);
  expect(await next.stop()).toEqual({ code: 0, signal: null });
});

test.concurrent('a server that was suspended for longer than that goes on', async () => {
  const server = await startServer();
  server.pause();
  await delay(35_000);
  server.resume();
  await delay(2_000);
  await createApi(server).expect(200, 'GET', '/me');
  expect(await server.stop()).toEqual({ code: 0, signal: null });
});
