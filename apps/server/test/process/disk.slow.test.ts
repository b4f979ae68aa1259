import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { type Api, createApi } from './support/api.ts';
import { startServer, temporaryDirectory } from './support/servers.ts';

vi.setConfig({ testTimeout: 240_000 });

const failDiskOnSignal = new URL('./support/fail-disk-on-signal.mjs', import.meta.url).href;

const create = (api: Api, name: string) =>
  api.call('POST', '/integrations', { body: { name, url: 'http://127.0.0.1:1/mcp' } });

test('a server reports a failing disk, ends, and serves all that it acknowledged from a good one', async () => {
  const dataDir = temporaryDirectory();
  const env = { NODE_OPTIONS: `--import=${failDiskOnSignal}` };
  const server = await startServer({ dataDir, env });
  const api = createApi(server);
  const kept = await create(api, 'Kept');
  expect(kept.status).toBe(201);

  process.kill(server.pid, 'SIGUSR2');
  await delay(500);
  const refused = await create(api, 'Refused');
  expect([refused.status, refused.body.code]).toEqual([503, 'database_unavailable']);
  const ended = await Promise.race([server.exited, delay(10_000)]);
  expect(ended).toEqual({ code: 1, signal: null });
  const fatal = server.stdout.split('\n').filter((line) => line.includes('"fatal"'));
  expect(fatal.map((line) => JSON.parse(line))).toMatchObject([
    { reason: 'EIO', msg: expect.stringContaining('can no longer be written (EIO). Make room') },
  ]);

  const next = await startServer({ dataDir, bootstrapToken: server.bootstrapToken });
  await createApi(next).expect(200, 'GET', `/integrations/${kept.body.integration.id}`);
  expect(await next.stop()).toEqual({ code: 0, signal: null });
});
