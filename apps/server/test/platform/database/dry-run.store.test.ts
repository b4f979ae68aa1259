import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { service } from '../../../src/identity/actor.ts';
import type { ChangeSet } from '../../../src/platform/changes/changes.ts';
import type { Tx } from '../../../src/platform/database/store.ts';
import { createId } from '../../../src/platform/ids.ts';
import { testDatabaseKind } from '../../support/database.ts';
import { useStore } from '../../support/store.ts';

const store = useStore();
let id: string;

beforeEach(async () => {
  ({ id } = await store.db.organization.create({ data: { ...createId(), name: 'As it is' } }));
});

const nameOf = async (db: Tx['db'], row: string) =>
  (await db.organization.findUniqueOrThrow({ where: { id: row } })).name;

const rename = (db: Tx['db'], row: string, name = 'Tried') =>
  db.organization.update({ where: { id: row }, data: { name } });

describe('a dry run', () => {
  it('sees what it wrote, and leaves nothing', async () => {
    const seen = await store.dryRun(async ({ db }) => {
      await rename(db, id);
      return nameOf(db, id);
    });
    expect([seen, await nameOf(store.db, id)]).toEqual(['Tried', 'As it is']);
  });

  it('announces and records nothing', async () => {
    const heard: (ChangeSet | object)[] = [];
    const stops = [
      store.changes.subscribe({ react: (changes) => void heard.push(changes) }),
      store.subscribeToEvents((recorded) => void heard.push(recorded)),
    ];
    await store.dryRun(async ({ db, announce, record }) => {
      await rename(db, id);
      announce({ kind: 'application', id });
      record({ action: 'application.archived', targetId: id, actor: service(id, 'start') });
    });
    await store.transaction(async ({ announce }) => announce({ kind: 'session', id }));
    for (const stop of stops) stop();
    expect(heard).toEqual([[{ kind: 'session', id }]]);
    expect(await store.db.auditEvent.count({ where: { organizationId: id } })).toBe(0);
  });

  it('is seen by no reader meanwhile', async () => {
    const names = await store.dryRun(async ({ db }) => {
      await rename(db, id);
      // With the embedded database it waits for the end of the dry run.
      const reading = nameOf(store.db, id);
      await delay(50);
      return { reading };
    });
    expect(await names.reading).toBe('As it is');
  });

  it('passes on what its work throws', async () => {
    const work = store.dryRun(() => Promise.reject(new Error('refused')));
    await expect(work).rejects.toThrow('refused');
  });

  it('ends after 3 s as overloaded, and the next write goes on', async () => {
    const work = store.dryRun(async ({ db }) => {
      for (;;) {
        await rename(db, id);
        await delay(100);
      }
    });
    const written = delay(500).then(() => store.transaction(({ db }) => rename(db, id, 'Written')));
    await expect(work).rejects.toMatchObject({
      code: 'overloaded',
      headers: { 'Retry-After': '5' },
    });
    await written;
    expect(await nameOf(store.db, id)).toBe('Written');
  });
});

describe.runIf(testDatabaseKind === 'postgresql')('a dry run beside a write', () => {
  it('gives up on a locked row, and the write that waits for it in turn goes on', async () => {
    const other = await store.db.organization.create({ data: { ...createId(), name: 'Other' } });
    const [dryRunHolds, writeHolds] = [gate(), gate()];
    const write = store.transaction(async ({ db }) => {
      await rename(db, other.id, 'Written');
      writeHolds.open();
      await dryRunHolds.opened;
      await rename(db, id, 'Written');
    });
    const work = store.dryRun(async ({ db }) => {
      await rename(db, id);
      dryRunHolds.open();
      await writeHolds.opened;
      await rename(db, other.id);
    });
    await expect(work).rejects.toMatchObject({ code: 'overloaded' });
    await write;
    expect([await nameOf(store.db, id), await nameOf(store.db, other.id)]).toEqual([
      'Written',
      'Written',
    ]);
  });

  it('begins again when a row that it locks has changed since it began', async () => {
    let attempts = 0;
    const seen = await store.dryRun(async ({ db }) => {
      attempts += 1;
      const before = await nameOf(db, id);
      if (attempts === 1) await rename(store.db, id, 'Written');
      await rename(db, id);
      return before;
    });
    expect([attempts, seen]).toEqual([2, 'Written']);
  });
});

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
