import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countSessions } from '../../src/sessions/count-sessions.ts';
import { revokeSession } from '../../src/sessions/end-sessions.ts';
import {
  revokeSessionsOfApplication,
  revokeSessionsOfAttachments,
  revokeSessionsOfConnection,
  revokeSessionsOfIntegration,
  revokeSessionsOfToken,
  revokeSessionsOfUser,
} from '../../src/sessions/revocation.ts';
import type { OpenSession, Sessions } from '../../src/sessions/sessions.ts';
import { TESTER } from '../support/events.ts';
import { type TestStore, useStore } from '../support/store.ts';
import { at, createWorld, openNode, type World } from './fixture.ts';

const store = useStore();

/** The model of a session. */
interface ModelSession {
  readonly id: string;
  readonly caller: number;
  readonly route: number;
  readonly era: 'legacy' | 'modern';
  readonly clientSessionId: string | undefined;
  readonly upstreamSessionId: string | undefined;
  isOpen: boolean;
  /** Calls in flight, by node. */
  readonly inFlight: [OpenSession[], OpenSession[]];
}

interface Model {
  readonly sessions: ModelSession[];
  /** Sessions ever, by application. */
  readonly total: [number, number];
  readonly archived: [boolean, boolean];
  /** Tokens that are blocked on an attachment: their session there was revoked. */
  readonly blocked: Set<string>;
  steps: number;
}

interface Real {
  readonly world: World;
  readonly nodes: readonly [Sessions, Sessions];
}

type Command = fc.AsyncCommand<Model, Real>;

/** Each number chooses a session, once there is one. */
const chosenOf = ({ sessions }: Model, number: number) => sessions[number % sessions.length];

const placeOf = (route: number, caller: number) => `${route} ${caller}`;

const applicationOf = (route: number) => (route < 2 ? 0 : 1);
const integrationOf = (route: number) => route % 2;

/** After each step, the nodes in turn are compared with the model. */
async function check(model: Model, { world, nodes }: Real): Promise<void> {
  model.steps += 1;
  const index = model.steps % 2;
  const node = at(nodes, index);
  await checkCounts(model, world, node, index);
  for (const known of model.sessions) await checkAccess(known, world, node);
  await checkBlocked(model, world, node);
}

/** What is in flight on the other node may not be written yet. */
async function checkCounts(model: Model, world: World, node: Sessions, index: number) {
  const counts = await countSessions(store.db, world.applicationIds, node.admin);
  for (const [application, id] of world.applicationIds.entries()) {
    const open = model.sessions.filter(
      ({ route, isOpen }) => isOpen && applicationOf(route) === application,
    );
    const counted = counts.get(id);
    const total = at(model.total, application);
    expect(counted).toMatchObject({ active: open.length, idle: 0, total });
    const here = open.filter(({ inFlight }) => at(inFlight, index).length > 0).length;
    const anywhere = open.filter(({ inFlight }) => inFlight.flat().length > 0).length;
    expect(counted?.live).toBeGreaterThanOrEqual(here);
    expect(counted?.live).toBeLessThanOrEqual(anywhere);
  }
}

/** Open to its user on its attachment, not to another user and not on another attachment. */
async function checkAccess(known: ModelSession, world: World, node: Sessions): Promise<void> {
  const { id, caller, route, clientSessionId, isOpen } = known;
  const own = [at(world.routes, route), at(world.callers, caller)] as const;
  if (clientSessionId === undefined) {
    if (!isOpen) expect(node.modern.peek(...own)?.id).not.toBe(id);
    return;
  }
  const finding = async (...[place, user]: typeof own) =>
    node.legacy.require(place, user, clientSessionId);
  const notFound = { code: 'session_not_found' };
  if (isOpen) {
    const { upstreamSessionId } = known;
    expect(await finding(...own)).toMatchObject({ id, upstreamSessionId });
  } else {
    await expect(finding(...own)).rejects.toMatchObject(notFound);
  }
  await expect(finding(own[0], at(world.callers, 1 - caller))).rejects.toMatchObject(notFound);
  await expect(finding(at(world.routes, (route + 1) % 4), own[1])).rejects.toMatchObject(notFound);
}

/** Exactly the model's tokens are blocked: not those of sessions revoked together. */
async function checkBlocked({ blocked }: Model, { routes, callers }: World, node: Sessions) {
  for (const [route, place] of routes.entries()) {
    for (const [caller, user] of callers.entries()) {
      const checking = (async () => node.modern.checkNotBlocked(place, user))();
      if (blocked.has(placeOf(route, caller))) {
        await expect(checking).rejects.toMatchObject({ code: 'forbidden' });
      } else {
        await checking;
      }
    }
  }
}

class Step implements Command {
  readonly #name: string;
  readonly #act: (model: Model, real: Real) => Promise<void>;

  constructor(name: string, act: (model: Model, real: Real) => Promise<void>) {
    this.#name = name;
    this.#act = act;
  }
  check(): boolean {
    return true;
  }
  async run(model: Model, real: Real): Promise<void> {
    await this.#act(model, real);
    await check(model, real);
  }
  toString(): string {
    return this.#name;
  }
}

const index = fc.nat({ max: 1 });
const route = fc.nat({ max: 3 });
const pick = fc.nat({ max: 30 });

const openLegacy = fc.tuple(index, index, route).map(
  ([node, caller, route]) =>
    new Step(`openLegacy(${node}, ${caller}, ${route})`, async (model, { world, nodes }) => {
      const application = applicationOf(route);
      const upstreamSessionId = `upstream-${model.sessions.length}`;
      const opening = at(nodes, node).legacy.open(
        at(world.routes, route),
        at(world.callers, caller),
        upstreamSessionId,
      );
      if (model.blocked.has(placeOf(route, caller))) {
        await expect(opening).rejects.toMatchObject({ code: 'forbidden' });
        return;
      }
      if (model.archived[application]) {
        await expect(opening).rejects.toMatchObject({ code: 'not_found' });
        return;
      }
      const { session, clientSessionId } = await opening;
      const { id } = session;
      model.total[application] += 1;
      model.sessions.push({
        ...{ id, caller, route, clientSessionId, upstreamSessionId },
        era: 'legacy',
        isOpen: true,
        inFlight: [[], []],
      });
    }),
);

const findOrOpenModern = fc.tuple(index, index, route).map(
  ([node, caller, route]) =>
    new Step(`findOrOpenModern(${node}, ${caller}, ${route})`, async (model, { world, nodes }) => {
      const application = applicationOf(route);
      const opening = (async () =>
        at(nodes, node).modern.findOrOpen(at(world.routes, route), at(world.callers, caller)))();
      if (model.blocked.has(placeOf(route, caller))) {
        await expect(opening).rejects.toMatchObject({ code: 'forbidden' });
        return;
      }
      if (model.archived[application]) {
        await expect(opening).rejects.toMatchObject({ code: 'not_found' });
        return;
      }
      const { id, era } = await opening;
      expect(era).toBe('modern');
      const open = model.sessions.find(
        (known) =>
          known.era === 'modern' &&
          known.isOpen &&
          known.caller === caller &&
          known.route === route,
      );
      if (open !== undefined) {
        expect(id).toBe(open.id);
        return;
      }
      expect(model.sessions.map((known) => known.id)).not.toContain(id);
      model.total[application] += 1;
      model.sessions.push({
        ...{ id, caller, route, era },
        clientSessionId: undefined,
        upstreamSessionId: undefined,
        isOpen: true,
        inFlight: [[], []],
      });
    }),
);

async function resolve(known: ModelSession, node: Sessions, world: World): Promise<OpenSession> {
  const route = at(world.routes, known.route);
  const caller = at(world.callers, known.caller);
  return known.clientSessionId === undefined
    ? node.modern.findOrOpen(route, caller)
    : node.legacy.require(route, caller, known.clientSessionId);
}

const enter = fc.tuple(index, pick).map(
  ([node, chosen]) =>
    new Step(`enter(${node}, ${chosen})`, async (model, { world, nodes }) => {
      const known = chosenOf(model, chosen);
      if (!known?.isOpen) return;
      const session = await resolve(known, at(nodes, node), world);
      at(known.inFlight, node).push(at(nodes, node).activity.enter(session));
    }),
);

const leave = fc.tuple(index, pick).map(
  ([node, chosen]) =>
    new Step(`leave(${node}, ${chosen})`, async (model, { nodes }) => {
      const known = chosenOf(model, chosen);
      const session = known && at(known.inFlight, node).pop();
      if (session !== undefined) at(nodes, node).activity.leave(session);
    }),
);

const end = fc.tuple(index, pick).map(
  ([node, chosen]) =>
    new Step(`end(${node}, ${chosen})`, async (model, { world, nodes }) => {
      const known = chosenOf(model, chosen);
      if (!known?.isOpen) return;
      await at(nodes, node).legacy.end(await resolve(known, at(nodes, node), world));
      known.isOpen = false;
    }),
);

function revoke(
  name: string,
  statement: (
    world: World,
    route: number,
    caller: number,
  ) => Parameters<TestStore['transaction']>[0],
  isMeant: (known: ModelSession, route: number, caller: number) => boolean,
) {
  return fc.tuple(route, index).map(
    ([route, caller]) =>
      new Step(`revoke ${name}(${route}, ${caller})`, async (model, { world }) => {
        await store.transaction(statement(world, route, caller));
        for (const known of model.sessions) if (isMeant(known, route, caller)) known.isOpen = false;
      }),
  );
}

const revocations = [
  revoke(
    'application',
    (world, route) => (tx) =>
      revokeSessionsOfApplication(tx, at(world.routes, route).applicationId),
    (known, route) => applicationOf(known.route) === applicationOf(route),
  ),
  revoke(
    'integration',
    (world, route) => (tx) =>
      revokeSessionsOfIntegration(tx, at(world.routes, route).integrationId),
    (known, route) => integrationOf(known.route) === integrationOf(route),
  ),
  revoke(
    'attachment',
    (world, route) => {
      const { applicationId, attachmentId } = at(world.routes, route);
      return (tx) => revokeSessionsOfAttachments(tx, applicationId, [attachmentId]);
    },
    (known, route) => known.route === route,
  ),
  revoke(
    'user',
    (world, _route, caller) => (tx) =>
      revokeSessionsOfUser(tx, at(world.callers, caller).subjectId),
    (known, _route, caller) => known.caller === caller,
  ),
  revoke(
    'connection',
    (world, route, caller) => {
      const { integrationId } = at(world.routes, route);
      return (tx) =>
        revokeSessionsOfConnection(tx, integrationId, at(world.callers, caller).subjectId);
    },
    (known, route, caller) =>
      integrationOf(known.route) === integrationOf(route) && known.caller === caller,
  ),
  revoke(
    'token',
    (world, _route, caller) => (tx) =>
      revokeSessionsOfToken(tx, at(world.callers, caller).bearerId),
    (known, _route, caller) => known.era === 'modern' && known.caller === caller,
  ),
];

const revokeOne = fc.tuple(index, pick).map(
  ([node, chosen]) =>
    new Step(`revoke(${node}, ${chosen})`, async (model, { world, nodes }) => {
      const known = chosenOf(model, chosen);
      if (known === undefined) return;
      const { applicationId } = at(world.routes, known.route);
      const isKnown = await store.transaction((tx) =>
        revokeSession(tx, { id: known.id, applicationId }, at(nodes, node).admin, TESTER),
      );
      expect(isKnown).toBe(true);
      if (known.isOpen && known.era === 'modern') {
        model.blocked.add(placeOf(known.route, known.caller));
      }
      known.isOpen = false;
    }),
);

const archive = fc.tuple(index, fc.boolean()).map(
  ([application, isArchived]) =>
    new Step(`archive(${application}, ${isArchived})`, async (model, { world }) => {
      const id = at(world.applicationIds, application);
      await store.transaction(async (tx) => {
        const archivedAt = isArchived ? new Date() : null;
        await tx.db.application.update({ where: { id }, data: { archivedAt } });
        if (isArchived) await revokeSessionsOfApplication(tx, id);
      });
      model.archived[application as 0 | 1] = isArchived;
      for (const known of model.sessions) {
        if (isArchived && applicationOf(known.route) === application) known.isOpen = false;
      }
    }),
);

it('sessions on two nodes are open, counted and found exactly as in a model', async () => {
  const steps = fc.commands(
    [
      openLegacy,
      openLegacy,
      findOrOpenModern,
      enter,
      leave,
      end,
      ...revocations,
      revokeOne,
      archive,
    ],
    { maxCommands: 40, size: 'max' },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (commands) => {
      const world = await createWorld(store);
      const nodes = [openNode(store), openNode(store)] as const;
      try {
        await fc.asyncModelRun(
          () => ({
            model: {
              steps: 0,
              sessions: [],
              total: [0, 0] as [number, number],
              archived: [false, false] as [boolean, boolean],
              blocked: new Set<string>(),
            },
            real: { world, nodes },
          }),
          commands,
        );
      } finally {
        await Promise.all(nodes.map((node) => node.close()));
      }
    }),
    { numRuns: 12 },
  );
}, 180_000);
