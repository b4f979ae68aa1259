import { expect, it } from 'vitest';
import { systemClock } from '../../src/transport/clock.ts';

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

it('a sleep that is aborted gives its timer back', () => {
  const controller = new AbortController();
  const before = timers();
  void systemClock.sleep(60_000, controller.signal);
  expect(timers()).toBe(before + 1);
  controller.abort();
  expect(timers()).toBe(before);
});

it('a sleep ends by itself', async () => {
  await systemClock.sleep(1, new AbortController().signal);
});
