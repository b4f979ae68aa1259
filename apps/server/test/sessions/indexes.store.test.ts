import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { findSessions } from '../../src/sessions/find-sessions.ts';
import { useStore } from '../support/store.ts';
import { at, useNode } from './fixture.ts';

const store = useStore();
const own = useNode(store);

/** Indexes that have the one session there is. */
async function countIndexes(): Promise<number> {
  const indexes = await store.db.$queryRaw<{ predicate: string | null }[]>`
    SELECT pg_get_expr("indpred", "indrelid") AS "predicate"
    FROM pg_index WHERE "indrelid" = '"Session"'::regclass`;
  let having = 0;
  for (const { predicate } of indexes) {
    const condition = Prisma.raw(predicate ?? 'true');
    const rows = await store.db.$queryRaw<unknown[]>`
      SELECT 1 FROM "Session" WHERE ${condition}`;
    having += rows.length;
  }
  return having;
}

const open = (caller = at(own.world.callers, 0)) =>
  own.node.legacy.open(at(own.world.routes, 0), caller, 'upstream');

it('the beginning of a session writes eight indexes, and its end five', async () => {
  await store.db.session.deleteMany();
  const { session } = await open();
  expect(await countIndexes()).toBe(8);
  await own.node.legacy.end(session);
  expect(await countIndexes()).toBe(5);
});

it('a list has the open and the ended sessions by their age, also from page to page', async () => {
  const { organizationId, applicationId } = at(own.world.routes, 0);
  const { subjectId } = at(own.world.callers, 0);
  const newest: string[] = [];
  for (let number = 0; number < 6; number += 1) {
    const { session } = await open({ subjectId, bearerId: randomUUID() });
    if (number % 2 === 0) await own.node.legacy.end(session);
    newest.unshift(session.id);
  }
  const { db } = store;
  const filters = [{ applicationId }, { userId: subjectId }, {}];
  for (const before of [undefined, newest[2]]) {
    const expected = before === undefined ? newest.slice(0, 3) : newest.slice(3);
    const page = { before, take: 3 };
    for (const filter of filters) {
      const found = await findSessions(
        db,
        {
          filter: { organizationId, ...filter },
          ...page,
        },
        own.node.admin,
      );
      expect(found.rows.map(({ id }) => id)).toEqual(expected);
    }
  }
});
