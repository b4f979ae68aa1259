import { beforeEach, expect, it } from 'vitest';
import { useStoppedClock } from '../../support/clock.ts';
import { use } from '../../support/use.ts';
import { useFixture } from '../fixture.ts';
import { type AggregateClient, newApplication, openClient } from './aggregate-client.ts';
import { startScriptedServer, toolOf } from './scripted-server.ts';

const MINUTE = 60_000;

const clock = useStoppedClock();
const fixture = useFixture();
const [first, second] = [
  use(() => startScriptedServer('first')),
  use(() => startScriptedServer('second')),
];
let client: AggregateClient;
let secondId: string;

beforeEach(async () => {
  const applicationId = await newApplication(fixture);
  const attach = async (name: string, url: string) => {
    const id = await fixture.integrate({ name, url });
    await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
    return id;
  };
  await attach('First', first.url);
  secondId = await attach('Second', second.url);
  for (const { onAll, on } of [first, second]) {
    onAll(undefined);
    on('tools/list', undefined);
  }
  const { origin, owner } = fixture.server;
  client = await openClient(`${origin}/mcp/${applicationId}`, owner, 'legacy');
  // A call that begins at the instant of a change is admitted again, later.
  clock.pass(1);
});

const states = async () => (await client.listTools()).states;
const asked = () => second.received('tools/list').length;

it('a list is read again after half a minute, and has what is new', async () => {
  await states();
  const before = asked();
  second.on('tools/list', ({ respondResult }) =>
    respondResult({ tools: [toolOf('echo'), toolOf('new')] }),
  );
  clock.pass(29_000);
  expect(await states()).toEqual({ first: 'ok 1', second: 'ok 1' });
  expect(asked()).toBe(before);
  clock.pass(2_000);
  expect(await states()).toEqual({ first: 'ok 1', second: 'ok 2' });
});

it.each([
  ['fails', ({ respond }) => respond({ status: 500 })],
  ['hangs', () => {}],
] as [string, Parameters<typeof second.on>[1]][])(
  'the last list of one that %s is served for ten minutes',
  async (_name, handler) => {
    await states();
    second.on('tools/list', handler);
    clock.pass(MINUTE);
    expect(await states()).toEqual({ first: 'ok 1', second: 'stale 1' });
    clock.pass(8 * MINUTE);
    expect(await states()).toEqual({ first: 'ok 1', second: 'stale 1' });
    clock.pass(2 * MINUTE);
    expect((await states()).second).toMatch(/^(late|failed) 0$/);
    expect((await client.call('second__echo')).body.result.content[0].text).toBe('second');
  },
);

it('one that has failed is tried again after 5, 10 and 20 seconds, without being waited for', async () => {
  second.on('tools/list', ({ respond }) => respond({ status: 500 }));
  await states();
  const tries: number[] = [];
  let before = asked();
  for (let seconds = 1; seconds <= 40; seconds += 1) {
    clock.pass(1_000);
    await states();
    // What is tried in the background has been sent by the next turns.
    await expect.poll(async () => (await states()).second).toBe('failed 0');
    if (asked() > before) tries.push(seconds);
    before = asked();
  }
  expect(tries).toEqual([5, 15, 35]);
  second.on('tools/list', undefined);
  clock.pass(MINUTE);
  await expect.poll(async () => (await states()).second).toBe('ok 1');
});

it('one that is mended is asked at once', async () => {
  second.on('tools/list', ({ respond }) => respond({ status: 500 }));
  expect((await states()).second).toBe('failed 0');
  await fixture.api('PATCH', `/integrations/${secondId}`, { url: `${first.url}/again` });
  expect((await states()).second).toBe('ok 1');
});

it('the pages of one list may take half a minute together', async () => {
  const before = asked();
  second.on('tools/list', ({ respondResult }) => {
    clock.pass(12_000);
    respondResult({ tools: [toolOf('echo')], nextCursor: String(asked()) });
  });
  expect((await states()).second).toMatch(/^(late|failed) 0$/);
  await expect.poll(async () => (await states()).second).toBe('failed 0');
  expect(asked() - before).toBe(3);
});

it('an application without integrations has an empty list, which is fresh', async () => {
  const empty = await newApplication(fixture);
  const { origin, owner } = fixture.server;
  const modern = await openClient(`${origin}/mcp/${empty}`, owner, 'modern');
  const { body } = await modern.ask('tools/list');
  expect(body.result).toMatchObject({ tools: [], ttlMs: 5 * MINUTE });
});
