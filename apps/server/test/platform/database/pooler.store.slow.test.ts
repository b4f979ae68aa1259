import { describe, expect, it, onTestFinished } from 'vitest';
import {
  MarkedListener,
  MarkNotHeardError,
} from '../../../src/platform/changes/marked-listener.ts';
import { PostgresqlChanges } from '../../../src/platform/changes/postgresql-changes.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { connectionOptions } from '../../../src/platform/database/postgresql.ts';
import { createPostgresqlDatabase, testDatabaseKind } from '../../support/database.ts';
import { hasPooler, startPooler } from '../../support/pooler.ts';

async function startBehindPooler(mode: 'session' | 'transaction') {
  const database = await createPostgresqlDatabase();
  const pooler = await startPooler(database.config.databaseUrl, mode);
  onTestFinished(async () => {
    await pooler.close();
    await database.drop();
  });
  return { direct: database.config, pooled: { ...database.config, databaseUrl: pooler.url } };
}

describe.runIf(testDatabaseKind === 'postgresql' && hasPooler)('behind PgBouncer', () => {
  it('in transaction mode the start is refused in one sentence, and leaves no lock behind', async () => {
    const { direct, pooled } = await startBehindPooler('transaction');
    await expect(openDatabase(pooled)).rejects.toMatchObject({
      code: 'no_notifications',
      message: expect.stringMatching(
        /transaction mode.*directly, or through a pooler in session mode\.$/s,
      ),
    });
    const store = await openDatabase(direct, { lockWithin: 1_000 });
    await store.close();
  });

  it('in transaction mode no mark comes back', async () => {
    const { pooled } = await startBehindPooler('transaction');
    const listener = await MarkedListener.open({
      config: connectionOptions(pooled.databaseUrl),
      channel: 'changes',
      onPayload: () => {},
      signal: new AbortController().signal,
    });
    onTestFinished(() => listener.discard());
    await expect(listener.prove(1_000)).rejects.toThrow(MarkNotHeardError);
  });

  it('in transaction mode a node never trusts its memory', async () => {
    const { pooled } = await startBehindPooler('transaction');
    const changes = new PostgresqlChanges(connectionOptions(pooled.databaseUrl));
    await expect(changes.start()).rejects.toThrow('No mark arrived');
    expect(changes.isFresh()).toBe(false);
  });

  it('in session mode a node hears what another has changed', async () => {
    const { direct, pooled } = await startBehindPooler('session');
    const [writer, reader] = await Promise.all([openDatabase(direct), openDatabase(pooled)]);
    onTestFinished(async () => {
      await Promise.all([writer.close(), reader.close()]);
    });
    const heard: unknown[] = [];
    reader.changes.subscribe({ react: (changes) => heard.push(changes) });
    const change = { kind: 'token', id: crypto.randomUUID() } as const;
    await writer.transaction(async ({ announce }) => announce(change));
    await expect.poll(() => heard).toContainEqual([change]);
    expect(reader.changes.isFresh()).toBe(true);
  });
});
