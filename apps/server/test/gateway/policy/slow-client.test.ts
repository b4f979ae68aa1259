import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { BodyMemory } from '../../../src/gateway/body-memory.ts';
import { Call } from '../../../src/gateway/call.ts';
import { defaultLimits } from '../../../src/gateway/limits.ts';
import { createGatewayMetrics } from '../../../src/gateway/metrics.ts';
import { FilteredResponse } from '../../../src/gateway/policy/filtered-response.ts';
import { RelayedResponse } from '../../../src/gateway/response.ts';
import { createMetrics } from '../../../src/platform/metrics.ts';
import { MemorySink, requestOf } from '../values.ts';

const bufferedBytes = 64 * 1024;
const limits = { ...defaultLimits, bufferedBytes };
const sessions = { activity: { enter: () => {}, leave: () => {} } } as never;

/** A filtered response, to a client that takes nothing, of an upstream that sends whenever it may. */
function start() {
  const sink = new MemorySink();
  const log = pino({ level: 'silent' });
  const call = new Call(requestOf('POST'), sink, {
    sessions,
    openCalls: { delete: () => {} },
    bodyMemory: new BodyMemory(limits.keptBytesInAll),
    observers: [],
    log,
  });
  const metrics = createGatewayMetrics(createMetrics(), () => 0);
  const relayed = new RelayedResponse(call, { metrics, limits });
  const filtering = { integrationId: '', makePrivate: false, allows: slowly };
  const controller = {
    isPaused: false,
    pause() {
      controller.isPaused = true;
    },
    resume() {
      controller.isPaused = false;
    },
  };
  return {
    sink,
    controller,
    response: new FilteredResponse(relayed, call, filtering, null, {
      ...{ limits, metrics, log },
      openCalls: { some: () => false },
    }),
  };
}

let entries = 0;

/** As long rules and new definitions do. */
function slowly(): boolean {
  entries += 1;
  const until = performance.now() + 0.5;
  while (performance.now() < until);
  return true;
}

it('a client that takes nothing pauses the upstream, however long the filter takes', async () => {
  const { sink, controller, response } = start();
  response.start(200, { 'content-type': 'application/json' }, 'modern');
  const entry = `{"name":"t","description":"${'d'.repeat(1_000)}"},`;
  const chunk = Buffer.from(entry.repeat(60));
  response.write(controller as never, Buffer.from('{"result":{"tools":['));
  for (let turn = 0; turn < 60; turn += 1) {
    if (!controller.isPaused) response.write(controller as never, chunk);
    await nextTurn();
  }
  expect(sink.waitingBytes).toBeGreaterThan(bufferedBytes);
  expect(sink.waitingBytes).toBeLessThan(bufferedBytes + 2 * chunk.length);
  expect(sink.drainListeners.length).toBe(1);
  sink.drain();
  expect(controller.isPaused).toBe(false);
});

it('chunks that come in one turn of the event loop are filtered in several', async () => {
  const { controller, response } = start();
  response.start(200, { 'content-type': 'application/json' }, 'modern');
  response.write(controller as never, Buffer.from('{"result":{"tools":['));
  await nextTurn();
  entries = 0;
  const chunk = Buffer.from('{"name":"t"},'.repeat(4));
  for (let i = 0; i < 20; i += 1) response.write(controller as never, chunk);
  // Half a millisecond each, in turns of five.
  expect(entries).toBeLessThan(20);
  await expect.poll(() => entries).toBe(80);
});
