import { expect, onTestFinished, test, vi } from 'vitest';
import { startOtlpReceiver } from '../telemetry/otlp-receiver.ts';
import { createApi } from './support/api.ts';
import { startRefused, startServer } from './support/servers.ts';

vi.setConfig({ testTimeout: 240_000 });

test('a server sends its last traces and metrics when it ends, and waits 3 s for a collector that does not answer', async () => {
  const receiver = await startOtlpReceiver();
  onTestFinished(() => receiver.close());
  receiver.answer = undefined;
  const server = await startServer({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url } });
  await createApi(server).expect(200, 'GET', '/me');
  expect(await server.stop()).toEqual({ code: 0, signal: null });
  expect(receiver.spans().map(({ name }) => name)).toEqual(['GET /api/v1/me']);
  expect(receiver.metrics().map(({ name }) => name)).toContain('gatehouse_ready');
  const [, ms] = /"ms":(\d+),"isComplete":true,"msg":"shut down"/.exec(server.stdout) ?? [];
  // The limit is 3 s. The collector is waited for 10 s.
  expect(Number(ms)).toBeLessThan(8_000);
  expect(server.stderr).toBe('');
});

test('an endpoint that is not a URL refuses the start in one sentence', async () => {
  const env = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'collector' };
  const { code, stderr } = await startRefused({ env });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^[^\n]*OTEL_EXPORTER_OTLP_TRACES_ENDPOINT[^\n]*\n$/);
});
