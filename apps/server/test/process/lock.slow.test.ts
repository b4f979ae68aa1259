import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createApi } from './support/api.ts';
import { startRefused, startServer, temporaryDirectory } from './support/servers.ts';

vi.setConfig({ testTimeout: 240_000 });

const fatalLines = (stdout: string) =>
  stdout
    .split('\n')
    .filter((line) => line.includes('"level":"fatal"'))
    .map((line) => JSON.parse(line));

test('without its lock file a suspended server still keeps others out, and ends in one sentence when it goes on', async () => {
  const dataDir = temporaryDirectory();
  const first = await startServer({ dataDir });
  const made = await createApi(first).expect(201, 'POST', '/integrations', {
    body: { name: 'Kept', url: 'https://mcp.example.com/mcp' },
  });
  first.pause();
  rmSync(join(dataDir, 'lock'));
  const second = await startRefused({ dataDir });
  expect([second.code, second.stdout]).toEqual([1, '']);
  expect(second.stderr).toMatch(/is in use by another Gatehouse process\.[^\n]*\n$/);
  first.resume();
  expect(await Promise.race([first.exited, delay(10_000)])).toEqual({ code: 1, signal: null });
  expect(fatalLines(first.stdout)).toMatchObject([
    { reason: 'lock_lost', msg: expect.stringContaining('can no longer be written (lock_lost)') },
  ]);

  const next = await startServer({ dataDir, bootstrapToken: first.bootstrapToken });
  await createApi(next).expect(200, 'GET', `/integrations/${made.body.integration.id}`);
  expect(await next.stop()).toEqual({ code: 0, signal: null });
});
