import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { initializeBody } from '../connect-fixture.ts';
import { clientOf, useFixture } from '../fixture.ts';
import { type AggregateClient, newApplication, openClient } from './aggregate-client.ts';
import { startScriptedServer } from './scripted-server.ts';

const ALIASES = ['one', 'two'];

const fixture = useFixture();
const upstream = use(() => startScriptedServer('any'));
let applicationId: string;
let url: string;
const integrationIds: string[] = [];
const people: { id: string; token: string }[] = [];

beforeAll(async () => {
  for (const name of ALIASES) {
    integrationIds.push(await fixture.integrate({ name, url: upstream.url }));
  }
  for (let index = 0; index < 2; index += 1) people.push(await fixture.server.addMember('member'));
});

/** An open or ended session of a pair, as the API is to list it. */
interface Expected {
  readonly person: number;
  readonly pair: number;
  readonly era: 'legacy' | 'modern';
  isOpen: boolean;
}

/** A legacy client of the aggregate, and the sessions behind its session. */
interface Legacy {
  readonly person: number;
  readonly client: AggregateClient;
  readonly behind: Map<number, Expected>;
  hasEnded: boolean;
}

interface World {
  readonly sessions: Expected[];
  readonly legacy: Legacy[];
}

const step = fc.record({
  act: fc.constantFrom('open', 'legacy', 'modern', 'pair', 'end', 'forget'),
  person: fc.nat({ max: 1 }),
  pair: fc.nat({ max: 1 }),
  which: fc.nat({ max: 9 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const tokenOf = (person: number) => people[person]?.token ?? '';

function add(world: World, session: Omit<Expected, 'isOpen'>): Expected {
  const added = { ...session, isOpen: true };
  world.sessions.push(added);
  return added;
}

/** A token has one modern session with each pair, however it uses it. */
function useModern(world: World, person: number, pair: number): void {
  const isIt = (one: Expected) =>
    one.era === 'modern' && one.person === person && one.pair === pair;
  if (!world.sessions.some(isIt)) add(world, { person, pair, era: 'modern' });
}

function useLegacy(world: World, legacy: Legacy, pair: number): void {
  if (legacy.behind.get(pair)?.isOpen) return;
  legacy.behind.set(pair, add(world, { person: legacy.person, pair, era: 'legacy' }));
}

const acts: Record<string, (world: World, step: Step) => Promise<void>> = {
  async open({ legacy }, { person }) {
    const client = await openClient(url, tokenOf(person), 'legacy');
    legacy.push({ person, client, behind: new Map(), hasEnded: false });
  },
  async legacy(world, { which, pair }) {
    const legacy = world.legacy[which % Math.max(1, world.legacy.length)];
    if (legacy === undefined) return;
    const { status } = await legacy.client.call(`${ALIASES[pair]}__echo`);
    expect(status).toBe(legacy.hasEnded ? 404 : 200);
    if (!legacy.hasEnded) useLegacy(world, legacy, pair);
  },
  async modern(world, { person, pair }) {
    const client = await openClient(url, tokenOf(person), 'modern');
    await client.call(`${ALIASES[pair]}__echo`);
    useModern(world, person, pair);
  },
  async pair(world, { person, pair }) {
    await clientOf(tokenOf(person))(`${url}/${integrationIds[pair]}`, { body: initializeBody() });
    add(world, { person, pair, era: 'legacy' });
  },
  async end({ legacy: all }, { which }) {
    const legacy = all[which % Math.max(1, all.length)];
    if (legacy === undefined || legacy.hasEnded) return;
    const { headers, send } = legacy.client;
    expect((await send({ method: 'DELETE', headers })).status).toBe(204);
    legacy.hasEnded = true;
    for (const session of legacy.behind.values()) session.isOpen = false;
  },
  /** The server forgets the session: another one begins, and the call is made in it. */
  async forget(world, { which, pair }) {
    const legacy = world.legacy[which % Math.max(1, world.legacy.length)];
    const session = legacy?.behind.get(pair);
    if (legacy === undefined || legacy.hasEnded || session === undefined) return;
    upstream.once(({ respond }) => respond({ status: 404 }));
    expect((await legacy.client.call(`${ALIASES[pair]}__echo`)).body.result).toBeDefined();
    session.isOpen = false;
    useLegacy(world, legacy, pair);
  },
};

async function check({ sessions }: World): Promise<void> {
  const { body } = await fixture.api('GET', `/applications/${applicationId}`);
  const open = sessions.filter(({ isOpen }) => isOpen);
  expect(body.application).toMatchObject({
    activeSessionCount: open.length,
    idleSessionCount: 0,
    liveSessionCount: 0,
    totalSessionCount: sessions.length,
  });
  const path = `/sessions?applicationId=${applicationId}&state=open&limit=100`;
  const listed: { userId: string; integrationId: string; era: string }[] = (
    await fixture.api('GET', path)
  ).body.items;
  const shown = listed.map(({ userId, integrationId, era }) => [userId, integrationId, era].join());
  const expected = open.map(({ person, pair, era }) =>
    [people[person]?.id, integrationIds[pair], era].join(),
  );
  expect(shown.sort()).toEqual(expected.sort());
}

it('counters and lists of sessions are true, however two people use pair and aggregate URLs', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      applicationId = await newApplication(fixture);
      url = `${fixture.server.origin}/mcp/${applicationId}`;
      for (const id of integrationIds) {
        await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
      }
      const world: World = { sessions: [], legacy: [] };
      for (const one of steps) await acts[one.act]?.(world, one);
      await check(world);
    }),
    { numRuns: 10 },
  );
}, 60_000);
