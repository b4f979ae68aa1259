import { expect, onTestFinished, test, vi } from 'vitest';
import { startOtlpReceiver } from '../telemetry/otlp-receiver.ts';
import { createApi } from './support/api.ts';
import { startServer } from './support/servers.ts';

vi.setConfig({ testTimeout: 240_000 });

async function start(answer: number | undefined, env: Record<string, string> = {}) {
  const receiver = await startOtlpReceiver();
  onTestFinished(() => receiver.close());
  receiver.answer = answer;
  const server = await startServer({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...env },
  });
  return { receiver, server, api: createApi(server) };
}

test('a server sends its last traces and metrics when it ends', async () => {
  const { receiver, server, api } = await start(200);
  await api.expect(200, 'GET', '/me');
  expect(await server.stop()).toEqual({ code: 0, signal: null });
  expect(receiver.spans().map(({ name }) => name)).toEqual(['GET /api/v1/me']);
  expect(receiver.metrics().map(({ name }) => name)).toContain('gatehouse_ready');
  expect(server.stderr).toBe('');
});

test('a collector that does not answer delays neither calls nor the shutdown', async () => {
  const { server, api } = await start(undefined, { OTEL_BSP_SCHEDULE_DELAY: '100' });
  for (let count = 0; count < 20; count += 1) await api.expect(200, 'GET', '/me');
  expect(await server.stop()).toEqual({ code: 0, signal: null });
  const [, ms] = /"ms":(\d+),"isComplete":true,"msg":"shut down"/.exec(server.stdout) ?? [];
  // The limit is 3 s. The collector is waited for 10 s.
  expect(Number(ms)).toBeLessThan(8_000);
  expect(server.stderr).toBe('');
});

test('an endpoint that is not a URL refuses the start in one sentence', async () => {
  await expect(start(200, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'collector' })).rejects.toThrow(
    'exited_before_ready',
  );
});
