import type { Exchange } from '@gatehouse/testing';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { defaultWindows } from '../../../src/sessions/windows.ts';
import { useStoppedClock } from '../../support/clock.ts';
import { use } from '../../support/use.ts';
import { initializeBody, modernRequest } from '../connect-fixture.ts';
import { type Answer, clientOf, useFixture } from '../fixture.ts';
import { type AggregateClient, newApplication, openClient } from './aggregate-client.ts';
import { startScriptedServer } from './scripted-server.ts';

const ALIASES = ['one', 'two'];

/** Milliseconds: a session is idle afterwards, and a list is read again. */
const SILENCE = defaultWindows.active + 1;

const fixture = useFixture(() => ({
  // No session expires while a test is silent.
  sessionWindows: { ...defaultWindows, modernTtl: defaultWindows.legacyTtl },
}));
const clock = useStoppedClock();
const upstream = use(() => startScriptedServer('any', { tools: { listChanged: true } }));
const integrationIds: string[] = [];
/** The session of the next call. */
let hasForgotten = false;
const people: { id: string; token: string }[] = [];

const credentialOf = (person: number, pair: number) => `secret-of-${person}-for-${pair}`;
const bearerOf = ({ request }: Exchange) => String(request.headers.authorization).slice(7);

beforeAll(async () => {
  for (const name of ALIASES) {
    const fields = { name, url: upstream.url, authMode: 'user_token' };
    integrationIds.push(await fixture.integrate(fields));
  }
  for (let person = 0; person < 2; person += 1) {
    const member = await fixture.server.addMember('member');
    people.push(member);
    for (const [pair, id] of integrationIds.entries()) {
      const connection = { token: credentialOf(person, pair) };
      await fixture.api('POST', `/integrations/${id}/connection`, connection, member.token);
    }
  }
  upstream.on('tools/call', (exchange) => {
    if (hasForgotten) exchange.respond({ status: 404 });
    else exchange.respondResult({ content: [{ type: 'text', text: bearerOf(exchange) }] });
    hasForgotten = false;
  });
  for (const method of ['GET', 'subscriptions/listen']) {
    upstream.on(method, ({ startSse }) => startSse());
  }
});

/** A person, and the application of the two that the person uses. */
interface Place {
  readonly person: number;
  readonly application: number;
}

/** A session with an integration, as the API is to list it. */
interface Expected extends Place {
  readonly pair: number;
  readonly era: 'legacy' | 'modern';
  isOpen: boolean;
  /** Silences so far when it was last active. */
  activeAt: number;
  /** Streams that it has open. */
  inFlight: number;
}

interface Stream {
  readonly answer: Answer;
  readonly sessions: Set<Expected>;
}

/** A legacy client of an aggregate URL, and the sessions behind its session. */
interface Legacy extends Place {
  readonly client: AggregateClient;
  readonly behind: Map<number, Expected>;
  stream: Stream | undefined;
  hasEnded: boolean;
}

interface World {
  readonly applicationIds: readonly string[];
  readonly sessions: Expected[];
  readonly legacy: Legacy[];
  readonly streams: Stream[];
  /** The lists that are in memory, since the last silence. */
  readonly listed: Set<string>;
  silences: number;
}

const ACTS = [
  ...['open', 'call', 'call', 'list', 'modern', 'listModern', 'pair', 'stream', 'listen'],
  ...['listenToNothing', 'close', 'end', 'forget', 'forget', 'silence', 'silence'],
] as const;

const step = fc.record({
  act: fc.constantFrom(...ACTS),
  person: fc.nat({ max: 1 }),
  application: fc.nat({ max: 1 }),
  pair: fc.nat({ max: 1 }),
  which: fc.nat({ max: 9 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const tokenOf = ({ person }: Place) => people[person]?.token ?? '';
const urlOf = ({ applicationIds }: World, { application }: Place) =>
  `${fixture.server.origin}/mcp/${applicationIds[application]}`;
const oneOf = <T>(all: readonly T[], { which }: Step) => all[which % Math.max(1, all.length)];

type Use = Pick<Expected, 'person' | 'application' | 'pair' | 'era'>;

function add(world: World, { person, application, pair, era }: Use): Expected {
  const added = {
    ...{ person, application, pair, era, isOpen: true },
    ...{ activeAt: world.silences, inFlight: 0 },
  };
  world.sessions.push(added);
  return added;
}

/** A token has one modern session with each attachment, however it uses it. */
function useModern(world: World, place: Place, pair: number): Expected {
  const { person, application } = place;
  const used =
    world.sessions.find(
      (one) =>
        one.era === 'modern' &&
        one.person === person &&
        one.application === application &&
        one.pair === pair,
    ) ?? add(world, { person, application, pair, era: 'modern' });
  used.activeAt = world.silences;
  return used;
}

function useLegacy(world: World, legacy: Legacy, pair: number): void {
  const { person, application, behind, stream } = legacy;
  const known = behind.get(pair);
  const used = known?.isOpen ? known : add(world, { person, application, pair, era: 'legacy' });
  behind.set(pair, used);
  used.activeAt = world.silences;
  if (stream !== undefined) enter(world, stream, used);
}

function enter(world: World, { sessions }: Stream, session: Expected): void {
  if (sessions.has(session)) return;
  sessions.add(session);
  session.inFlight += 1;
  session.activeAt = world.silences;
}

function leave(world: World, stream: Stream): void {
  for (const session of stream.sessions) {
    session.inFlight -= 1;
    session.activeAt = world.silences;
  }
  stream.sessions.clear();
}

function openStream(world: World, answer: Answer, sessions: Iterable<Expected>): Stream {
  const stream: Stream = { answer, sessions: new Set() };
  world.streams.push(stream);
  for (const session of sessions) enter(world, stream, session);
  return stream;
}

/** @returns false for what is in memory and asks no integration */
function isRead({ listed }: World, { person, application }: Place, era: string): boolean {
  const key = `${person} ${application} ${era}`;
  if (listed.has(key)) return false;
  listed.add(key);
  return true;
}

async function open(world: World, place: Place): Promise<void> {
  const { person, application } = place;
  const client = await openClient(urlOf(world, place), tokenOf(place), 'legacy');
  const isNew = { behind: new Map(), stream: undefined, hasEnded: false };
  world.legacy.push({ person, application, client, ...isNew });
}

function listenTo(world: World, place: Place, notifications: object): Promise<Answer> {
  const request = modernRequest('subscriptions/listen', { notifications });
  return clientOf(tokenOf(place))(urlOf(world, place), request);
}

const acts: Record<(typeof ACTS)[number], (world: World, step: Step) => Promise<void>> = {
  open,
  async call(world, one) {
    const legacy = oneOf(world.legacy, one);
    if (legacy === undefined) return;
    const { status, body } = await legacy.client.call(`${ALIASES[one.pair]}__echo`);
    expect(status).toBe(legacy.hasEnded ? 404 : 200);
    if (legacy.hasEnded) return;
    expect(body.result.content[0].text).toBe(credentialOf(legacy.person, one.pair));
    useLegacy(world, legacy, one.pair);
  },
  async list(world, one) {
    const legacy = oneOf(world.legacy, one);
    if (legacy === undefined || legacy.hasEnded) return;
    await legacy.client.listTools();
    if (!isRead(world, legacy, 'legacy')) return;
    for (const pair of ALIASES.keys()) useLegacy(world, legacy, pair);
  },
  async modern(world, one) {
    const client = await openClient(urlOf(world, one), tokenOf(one), 'modern');
    const { body } = await client.call(`${ALIASES[one.pair]}__echo`);
    expect(body.result.content[0].text).toBe(credentialOf(one.person, one.pair));
    useModern(world, one, one.pair);
  },
  async listModern(world, one) {
    const client = await openClient(urlOf(world, one), tokenOf(one), 'modern');
    await client.listTools();
    if (!isRead(world, one, 'modern')) return;
    for (const pair of ALIASES.keys()) useModern(world, one, pair);
  },
  async pair(world, one) {
    const url = `${urlOf(world, one)}/${integrationIds[one.pair]}`;
    await clientOf(tokenOf(one))(url, { body: initializeBody() });
    add(world, { ...one, era: 'legacy' });
  },
  async stream(world, one) {
    const legacy = oneOf(world.legacy, one);
    if (legacy === undefined || legacy.hasEnded || legacy.stream !== undefined) return;
    const { headers, send } = legacy.client;
    const accept = 'text/event-stream';
    const answer = await send({ method: 'GET', headers: { ...headers, accept } });
    const behind = [...legacy.behind.values()].filter(({ isOpen }) => isOpen);
    legacy.stream = openStream(world, answer, behind);
  },
  async listen(world, one) {
    const answer = await listenTo(world, one, { toolsListChanged: true });
    const used = [...ALIASES.keys()].map((pair) => useModern(world, one, pair));
    openStream(world, answer, used);
  },
  /** Its stream is open, and no integration has a part in it. */
  async listenToNothing(world, one) {
    openStream(world, await listenTo(world, one, {}), []);
  },
  async close(world, one) {
    const stream = oneOf(world.streams, one);
    if (stream === undefined) return;
    stream.answer.abort();
    leave(world, stream);
    for (const legacy of world.legacy) if (legacy.stream === stream) legacy.stream = undefined;
  },
  async end(world, one) {
    const legacy = oneOf(world.legacy, one);
    if (legacy === undefined || legacy.hasEnded) return;
    const { headers, send } = legacy.client;
    expect((await send({ method: 'DELETE', headers })).status).toBe(204);
    legacy.hasEnded = true;
    for (const session of legacy.behind.values()) session.isOpen = false;
  },
  /** The server forgets the session: another one begins, and the call is made in it. */
  async forget(world, one) {
    const legacy = oneOf(world.legacy, one);
    const session = legacy?.behind.get(one.pair);
    if (legacy === undefined || legacy.hasEnded || !session?.isOpen) return;
    hasForgotten = true;
    expect((await legacy.client.call(`${ALIASES[one.pair]}__echo`)).body.result).toBeDefined();
    session.isOpen = false;
    useLegacy(world, legacy, one.pair);
  },
  async silence(world) {
    clock.pass(SILENCE);
    world.silences += 1;
    world.listed.clear();
    // The server ends unused sessions by a timer, at no step that the model knows: every session counts as used.
    await fixture.server.store.db.$executeRaw`
      UPDATE "Session"
      SET "lastActivityAt" = "lastActivityAt" - ${SILENCE}::float8 * interval '1 millisecond',
        "isUnused" = false`;
  },
};

/** How many checks have found idle sessions, and live ones. */
const found = { idle: 0, live: 0 };

async function check(world: World): Promise<void> {
  for (const [application, id] of world.applicationIds.entries()) {
    const sessions = world.sessions.filter((one) => one.application === application);
    const open = sessions.filter(({ isOpen }) => isOpen);
    const idle = open.filter(({ activeAt }) => activeAt < world.silences);
    const live = open.filter(({ inFlight }) => inFlight > 0);
    const counted = async () => {
      const { body } = await fixture.api('GET', `/applications/${id}`);
      const { activeSessionCount, idleSessionCount, liveSessionCount, totalSessionCount } =
        body.application;
      return [activeSessionCount, idleSessionCount, liveSessionCount, totalSessionCount];
    };
    const expected = [open.length - idle.length, idle.length, live.length, sessions.length];
    await expect.poll(counted, { timeout: 5_000 }).toEqual(expected);
    expect(await shown(id)).toEqual(sessions.map(lineOf).sort());
    if (idle.length > 0) found.idle += 1;
    if (live.length > 0) found.live += 1;
  }
}

const lineOf = ({ person, pair, era, isOpen, inFlight }: Expected) =>
  [people[person]?.id, integrationIds[pair], era, isOpen, isOpen && inFlight > 0].join();

async function shown(applicationId: string): Promise<string[]> {
  const { body } = await fixture.api('GET', `/sessions?applicationId=${applicationId}&limit=100`);
  const items: Record<string, unknown>[] = body.items;
  return items
    .map((item) =>
      [item.userId, item.integrationId, item.era, item.state === 'open', item.live].join(),
    )
    .sort();
}

async function newWorld(): Promise<World> {
  const applicationIds = [await newApplication(fixture), await newApplication(fixture)];
  for (const applicationId of applicationIds) {
    for (const id of integrationIds) {
      await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
    }
  }
  return {
    ...{ applicationIds, sessions: [], legacy: [], streams: [] },
    ...{ listed: new Set(), silences: 0 },
  };
}

it('counters and lists of sessions are true, however two people use pair and aggregate URLs', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 30 }), async (steps) => {
      const world = await newWorld();
      for (const person of people.keys()) await open(world, { person, application: 0 });
      for (const one of steps) {
        await acts[one.act](world, one);
        await check(world);
      }
      for (const { answer } of world.streams) answer.abort();
    }),
    { numRuns: 10, endOnFailure: true },
  );
  expect(found.idle).toBeGreaterThan(0);
  expect(found.live).toBeGreaterThan(0);
});

it('each session with a server was used with the credential of one person for it', () => {
  const users = new Map<string, Set<string>>();
  for (const { headers } of upstream.requests) {
    const session = headers['mcp-session-id'];
    if (session === undefined) continue;
    const known = users.get(String(session)) ?? new Set();
    users.set(String(session), known.add(String(headers.authorization)));
  }
  expect(users.size).toBeGreaterThan(10);
  expect([...users.values()].filter(({ size }) => size > 1)).toEqual([]);
});
