import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  type Answering,
  fails,
  hangs,
  lists,
  stopTime,
  TestApplication,
  type TestIntegration,
  timed,
  toolOf,
} from './application.ts';

const MINUTE = 60_000;

let application: TestApplication;
let first: TestIntegration;
let second: TestIntegration;

beforeEach(() => {
  stopTime();
  application = new TestApplication();
  first = application.attach('first');
  second = application.attach('second');
});
afterEach(() => void vi.useRealTimers());

const echo = lists('tools', toolOf('echo'));
const pass = (time: number) => vi.advanceTimersByTimeAsync(time);

async function states() {
  const [listed] = await timed(application.list(application.client(), 'tools'));
  return listed.states;
}

it('a list is read again after half a minute, and has what is new', async () => {
  await states();
  second.on('tools', lists('tools', toolOf('echo'), toolOf('new')));
  await pass(29_000);
  expect(await states()).toEqual({ first: 'ok 1', second: 'ok 1' });
  expect(second.asked).toHaveLength(1);
  await pass(2_000);
  expect(await states()).toEqual({ first: 'ok 1', second: 'ok 2' });
});

it.each<[string, Answering]>([
  ['fails', fails],
  ['hangs', hangs],
])('the last list of an integration that %s is served for ten minutes', async (_, answer) => {
  await states();
  second.on('tools', answer);
  await pass(MINUTE);
  expect(await states()).toEqual({ first: 'ok 1', second: 'stale 1' });
  await pass(8 * MINUTE);
  expect(await states()).toEqual({ first: 'ok 1', second: 'stale 1' });
  await pass(2 * MINUTE);
  expect((await states()).second).toMatch(/^(late|failed) 0$/);
  const target = application.target(application.client(), 'tools/call', { name: 'second__echo' });
  expect(await target).toMatchObject({ alias: 'second', named: { name: 'echo' } });
});

it('an integration that has failed is tried again after 5, 10 and 20 seconds, without being waited for', async () => {
  second.on('tools', fails);
  await states();
  const tries: number[] = [];
  let before = second.asked.length;
  for (let seconds = 1; seconds <= 40; seconds += 1) {
    await pass(1_000);
    const [, time] = await timed(application.list(application.client(), 'tools'));
    expect(time).toBe(0);
    expect((await states()).second).toBe('failed 0');
    if (second.asked.length > before) tries.push(seconds);
    before = second.asked.length;
  }
  expect(tries).toEqual([5, 15, 35]);
  second.on('tools', echo);
  await pass(MINUTE);
  await states();
  expect((await states()).second).toBe('ok 1');
  expect(application.comeLate).toBe(1);
});

it('an integration with another URL is asked at once, though it had failed', async () => {
  second.on('tools', fails);
  expect((await states()).second).toBe('failed 0');
  second.on('tools', echo);
  expect((await states()).second).toBe('failed 0');
  second.change({ url: `${first.route.target.url}again` });
  expect((await states()).second).toBe('ok 1');
});

it('the pages of one list may take half a minute together', async () => {
  second.on('tools', async () => {
    await new Promise((resolve) => setTimeout(resolve, 12_000));
    return { tools: [toolOf('echo')], nextCursor: String(second.asked.length) };
  });
  expect((await states()).second).toBe('late 0');
  await pass(28_000);
  expect((await states()).second).toBe('failed 0');
  expect(second.asked).toHaveLength(3);
});

it('an application without integrations has an empty list, which is fresh', async () => {
  const empty = new TestApplication();
  const { result } = await empty.list(empty.client('modern'), 'tools');
  expect(result).toMatchObject({ tools: [], ttlMs: 5 * MINUTE });
});
