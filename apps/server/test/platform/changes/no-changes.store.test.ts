import { expect, it } from 'vitest';
import { Prisma } from '../../../src/generated/prisma/client.ts';
import { useStore } from '../../support/store.ts';

const store = useStore();

it('a commit without changes calls no listener', async () => {
  const heard: unknown[] = [];
  const unsubscribe = store.changes.subscribe({ react: (changes) => heard.push(changes) });
  await store.statement([], () => ({ name: 'nothing', sql: Prisma.sql`SELECT ${1}::int` }));
  await store.transaction(({ db }) => db.organization.count());
  expect(heard).toEqual([]);
  const id = '019a0000-0000-7000-8000-000000000001';
  await store.transaction(async ({ announce }) => announce({ kind: 'member', id }));
  expect(heard).toEqual([[{ kind: 'member', id }]]);
  unsubscribe();
});
