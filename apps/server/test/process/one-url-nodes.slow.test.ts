import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type AggregateClient, openClient } from '../gateway/aggregate/aggregate-client.ts';
import { toolOf } from '../gateway/aggregate/scripted-server.ts';
import { FollowedStream } from './support/followed-stream.ts';
import { ALIASES, type OneUrl, startOneUrl } from './support/one-url.ts';
import { type SteadyCall, startSteadyCalls } from './support/steady-calls.ts';
import { hasPostgresql } from './support/stores.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/** What holds on one node holds on the other within this many milliseconds. */
const PROMISED = 1_000;

const EVENTUALLY = { timeout: 10_000 };
const ERAS = ['legacy', 'modern'] as const;
type Era = (typeof ERAS)[number];

/** Calls in a second. */
const RATE = 40;

const STREAM_METHODS = ['GET', 'subscriptions/listen'];

let oneUrl: OneUrl;
beforeAll(async () => {
  if (hasPostgresql) oneUrl = await startOneUrl();
});
afterAll(() => oneUrl?.close());

interface Client extends AggregateClient {
  readonly era: Era;
  readonly person: number;
}

/** A client of each person in each era. */
async function openClients(): Promise<readonly Client[]> {
  const opening = oneUrl.people.flatMap(({ token }, person) =>
    ERAS.map(async (era) => ({ ...(await openClient(oneUrl.url, token, era)), era, person })),
  );
  return Promise.all(opening);
}

let made = 0;

/** @param takes milliseconds at the server @throws unless the answer is that to the call */
async function callEcho(client: AggregateClient, alias: string, takes = 0): Promise<void> {
  made += 1;
  const args = { call: made, takes };
  const { status, text, body } = await client.call(`${alias}__echo`, args);
  const isRight = body?.result?.content?.[0]?.text === JSON.stringify(args);
  if (!isRight) throw new Error(`${alias} answered ${status}: ${text}`);
}

const callsOf = (clients: readonly AggregateClient[]): SteadyCall[] =>
  clients.flatMap((client) => ALIASES.map((alias) => () => callEcho(client, alias)));

/** The ids of the sessions that were begun with the servers. */
const countBegun = () => oneUrl.servers.map((server) => server.received('initialize').length);

async function counters() {
  const path = `/applications/${oneUrl.applicationId}`;
  const { body } = await oneUrl.api.expect(200, 'GET', path);
  const { activeSessionCount, idleSessionCount, liveSessionCount, totalSessionCount } =
    body.application;
  return [activeSessionCount, idleSessionCount, liveSessionCount, totalSessionCount];
}

/** One of each client, which all servers have joined. */
async function openStreams(clients: readonly Client[]): Promise<FollowedStream[]> {
  for (const call of callsOf(clients)) await call('');
  const streams = clients.map((client) => new FollowedStream(client, client.era));
  onTestFinished(async () => {
    await Promise.all(streams.map((stream) => stream.stop()));
  });
  await expectHeard(streams, 'beginning');
  return streams;
}

/** Those that clients have called. */
const usedServers = () => oneUrl.servers.slice(0, ALIASES.length);

/** The ids after which servers resume streams, as their requests say. */
const lastEventIds = () =>
  usedServers()
    .flatMap((server) => server.received('GET'))
    .map(({ request }) => request.headers['last-event-id']);

/** What each server sends now comes in on each stream, once; streams that open meanwhile miss it, so it is sent again. */
async function expectHeard(streams: readonly FollowedStream[], label: string): Promise<void> {
  let sent = 0;
  const unheard = async () => {
    sent += 1;
    for (const [index, server] of usedServers().entries()) {
      const data = `{"jsonrpc":"2.0","method":"notifications/prompts/list_changed","params":{"data":"${label} ${index} ${sent}"}}`;
      const opened = STREAM_METHODS.flatMap((method) => server.received(method));
      for (const { send } of opened) await send(`id: ${label}\ndata: ${data}\n\n`);
    }
    await delay(100);
    const count = ({ text }: FollowedStream, index: number) =>
      text.split(`"${label} ${index} ${sent}"`).length - 1;
    return streams.flatMap((stream, of) =>
      usedServers().flatMap((_, index) => {
        const heard = count(stream, index);
        return heard === 1 ? [] : [`stream ${of}: ${heard} times from ${index}`];
      }),
    );
  };
  await expect.poll(unheard, EVENTUALLY).toEqual([]);
}

describe.runIf(hasPostgresql)('two nodes behind a balancer without affinity', () => {
  test('serve a session by turns', async () => {
    const before = await counters();
    const clients = await openClients();
    for (let round = 0; round < 3; round += 1) {
      for (const client of clients) {
        expect((await client.listTools()).names).toEqual(['one__echo', 'two__echo']);
        for (const alias of ALIASES) await callEcho(client, alias);
      }
    }
    // Of each person and integration one legacy session and one of the token.
    const [active = 0, , , total = 0] = before;
    expect(await counters()).toEqual([active + 8, 0, 0, total + 8]);
    expect(countBegun()).toEqual([2, 2]);
    for (const { era, send, headers } of clients) {
      if (era === 'modern') continue;
      expect((await send({ method: 'DELETE', headers })).status).toBe(204);
      const statuses = async () => [
        (await send({ headers })).status,
        (await send({ headers })).status,
      ];
      await expect.poll(statuses, { timeout: PROMISED }).toEqual([404, 404]);
    }
  });

  test('give the clients all that the servers send, and resume where a stream broke', async () => {
    const streams = await openStreams(await openClients());
    for (let round = 0; round < 4; round += 1) {
      const label = `round-${round}`;
      await expectHeard(streams, label);
      for (const stream of streams) stream.drop();
      // Each legacy client had its last event from one of the servers, and joins the others without replay.
      const resumed = () => lastEventIds().filter((id) => id === label);
      await expect.poll(resumed, EVENTUALLY).toEqual([label, label]);
    }
    expect(streams.flatMap(({ faults }) => faults)).toEqual([]);
  });

  test('announce at each what has changed at one', async () => {
    const clients = await openClients();
    const streams = await openStreams(clients);
    const countNews = () =>
      streams.map(({ text }) => text.split('notifications/tools/list_changed').length - 1);
    const before = countNews();
    await oneUrl.attach('three');
    await expect
      .poll(() => countNews().map((count, index) => count > (before[index] ?? 0)), EVENTUALLY)
      .toEqual(streams.map(() => true));
    await expectListed(clients, (names) => names.includes('three__echo'));

    expect(streams.flatMap(({ faults }) => faults)).toEqual([]);
  });

  test.each(ERAS)('list again what a server announces to a %s client at one', async (era) => {
    const [first] = oneUrl.servers;
    const clients = (await openClients()).filter((client) => client.era === era).slice(0, 1);
    const [stream] = await openStreams(clients);
    const name = `new-${era}`;
    await expectListed(clients, (names) => !names.includes(`one__${name}`));
    first?.on('tools/list', ({ respondResult }) =>
      respondResult({ tools: [toolOf('echo'), toolOf(name)] }),
    );
    const changed = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
    const method = era === 'legacy' ? 'GET' : 'subscriptions/listen';
    await first?.received(method).at(-1)?.send(`data: ${changed}\n\n`);
    // Once by the server, and once when the other node knows of it.
    const announced = () => stream?.text.split('notifications/tools/list_changed').length;
    await expect.poll(announced, { timeout: 2 * PROMISED }).toBe(3);
    await expectListed(clients, (names) => names.includes(`one__${name}`));
  });

  test('are restarted one after the other without an error for any client', async () => {
    const clients = await openClients();
    const streams = await openStreams(clients);
    const calls = startSteadyCalls(RATE, [oneUrl.url], callsOf(clients));
    const begun = countBegun();
    for (const index of [0, 1] as const) {
      expect(await oneUrl.nodes[index].stop()).toEqual({ code: 0, signal: null });
      await expectHeard(streams, `without-${index}`);
      await oneUrl.startAgain(index);
    }
    await calls.stop();
    expect(calls.failures).toEqual([]);
    expect(calls.made).toBeGreaterThan(100);
    await expectHeard(streams, 'restarted');
    expect(streams.flatMap(({ faults }) => faults)).toEqual([]);
    expect(countBegun()).toEqual(begun);
  });

  test('lose with a killed node only what was in flight on it', async () => {
    const before = await counters();
    const clients = await openClients();
    const streams = await openStreams(clients);
    for (const call of callsOf(clients)) await call('');
    const begun = countBegun();
    /** When those calls began that were cut off. */
    const lost: number[] = [];
    const noteLoss = async (calling: Promise<void>) => {
      const begunAt = performance.now();
      await calling.catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ECONNRESET') throw error;
        lost.push(begunAt);
      });
    };
    const withLoss = callsOf(clients).map((call) => () => noteLoss(call('')));
    const calls = startSteadyCalls(RATE, [oneUrl.url], withLoss);
    await delay(1_000);
    const [, second] = oneUrl.nodes;
    const inFlight = clients.map((client) => noteLoss(callEcho(client, 'one', 3_000)));
    await delay(500);
    expect(lost).toEqual([]);
    await second.kill9();
    const deadAt = performance.now();
    await expectHeard(streams, 'survived');
    await delay(2_000);
    await calls.stop();
    expect(calls.failures).toEqual([]);
    expect(lost.filter((begunAt) => begunAt > deadAt)).toEqual([]);
    await Promise.all(inFlight);
    expect(lost.length).toBeGreaterThan(0);
    expect(lost.length).toBeLessThan(inFlight.length + 2 * RATE);
    for (const call of callsOf(clients)) await call('');
    expect(countBegun()).toEqual(begun);

    await Promise.all(streams.map((stream) => stream.stop()));
    const [active = 0, , , total = 0] = before;
    await expect.poll(counters, EVENTUALLY).toEqual([active + 4, 0, 0, total + 4]);
    await oneUrl.startAgain(1);
    for (let turn = 0; turn < 2; turn += 1) for (const call of callsOf(clients)) await call('');
    expect(countBegun()).toEqual(begun);
  });
});

/** At both nodes, in time. */
async function expectListed(
  clients: readonly Client[],
  areRight: (names: readonly string[]) => boolean,
): Promise<void> {
  const listed = async () => {
    const lists = clients.flatMap((client) => [client.listTools(), client.listTools()]);
    return (await Promise.all(lists)).map(({ names }) => areRight(names) || names);
  };
  await expect.poll(listed, { timeout: 2 * PROMISED }).toEqual(clients.flatMap(() => [true, true]));
}
