import type { Db } from '../../src/platform/database/store.ts';
import { createPostgresqlDatabase } from '../support/database.ts';
import { fill } from './fill.ts';
import { explain, type Plan } from './plans.ts';
import { openRecordingStore, type RecordingStore } from './recording-store.ts';

export interface FilledDatabase {
  readonly store: RecordingStore;
  /** How the statements that `work` sends are carried out. What it changes is rolled back. */
  plansOf(work: (db: Db) => Promise<unknown>): Promise<Plan[]>;
  /** Closes the store and drops the database. */
  close(): Promise<void>;
}

export async function openFilledDatabase(): Promise<FilledDatabase> {
  const database = await createPostgresqlDatabase();
  const { databaseUrl } = database.config;
  try {
    await fill(databaseUrl);
  } catch (error) {
    await database.drop();
    throw error;
  }
  const store = await openRecordingStore(databaseUrl);
  return {
    store,
    async plansOf(work) {
      return explain(databaseUrl, await store.record(() => rolledBack(store, work)));
    },
    async close() {
      await store.close();
      await database.drop();
    },
  };
}

async function rolledBack(
  store: RecordingStore,
  work: (db: Db) => Promise<unknown>,
): Promise<void> {
  const undo = new Error('undo');
  const done = store.transaction(async ({ db }) => {
    await work(db);
    throw undo;
  });
  await done.catch((error: unknown) => {
    if (error !== undo) throw error;
  });
}
