import { expect, it } from 'vitest';
import { createId } from '../../src/platform/ids.ts';
import { useStore } from '../support/store.ts';
import { at, useNode } from './fixture.ts';

const store = useStore();
const own = useNode(store);

/** Open sessions of a caller, the later ones more silent. */
async function addOpen(count: number, caller = at(own.world.callers, 0), era = 'legacy') {
  const { organizationId, applicationId, integrationId, attachmentId } = at(own.world.routes, 0);
  const { subjectId, bearerId } = caller;
  const ids = Array.from({ length: count }, () => createId().id);
  await store.db.$executeRaw`
    INSERT INTO "Session" ("id", "organizationId", "applicationId", "integrationId",
      "attachmentId", "userId", "tokenId", "era", "createdAt", "lastActivityAt")
    SELECT n."id", ${organizationId}::uuid, ${applicationId}::uuid, ${integrationId}::uuid,
      ${attachmentId}::uuid, ${subjectId}::uuid, ${bearerId}::uuid, ${era}::"SessionEra", now(),
      now() - n."at" * interval '1 second'
    FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS n("id", "at")`;
  return ids;
}

async function open(count: number) {
  const [route, caller] = [at(own.world.routes, 0), at(own.world.callers, 0)];
  const opened = Array.from({ length: count }, () =>
    own.node.legacy.open(route, caller, 'upstream'),
  );
  return (await Promise.all(opened)).map(({ session }) => session.id);
}

const countOpen = ({ subjectId } = at(own.world.callers, 0)) =>
  store.db.session.count({ where: { userId: subjectId, state: 'open' } });

const statesOf = async (ids: readonly string[]) => {
  const rows = await store.db.session.findMany({ where: { id: { in: [...ids] } } });
  return [...new Set(rows.map(({ state }) => state))];
};

it('beyond 1,000 open legacy sessions of one person, those silent for longest are closed', async () => {
  const older = await addOpen(1_000);
  const newer = await open(100);
  await expect.poll(() => countOpen()).toBe(1_000);
  expect(await statesOf(newer)).toEqual(['open']);
  expect(await statesOf(older.slice(0, 900))).toEqual(['open']);
  expect(await statesOf(older.slice(900))).toEqual(['closed']);
});

it("a session with something in flight is not closed, nor another person's, nor a modern one", async () => {
  const older = await addOpen(1_000);
  const live = at(older, 999);
  const applicationId = at(own.world.applicationIds, 0);
  const leaseUntil = new Date(Date.now() + 60_000);
  await store.db.sessionPresence.create({
    data: { sessionId: live, nodeId: createId().id, applicationId, leaseUntil },
  });
  const others = await addOpen(1_100, at(own.world.callers, 1));
  const modern = await addOpen(10, at(own.world.callers, 0), 'modern');
  await open(100);
  await expect.poll(() => countOpen()).toBe(1_011);
  expect(await statesOf([live, ...others, ...modern])).toEqual(['open']);
});

it('a closed session is gone from memory', async () => {
  const [route, caller] = [at(own.world.routes, 0), at(own.world.callers, 0)];
  const { session, clientSessionId } = await own.node.legacy.open(route, caller, 'upstream');
  await store.db.session.update({
    where: { id: session.id },
    data: { lastActivityAt: new Date(Date.now() - 3_600_000) },
  });
  await addOpen(950);
  await open(99);
  const find = async () => own.node.legacy.require(route, caller, clientSessionId);
  await expect.poll(() => find().catch(({ code }) => code)).toBe('session_not_found');
});
