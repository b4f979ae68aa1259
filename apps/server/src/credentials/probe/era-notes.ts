import { isNews, type SpokenEras, storedEras } from '../../mcp/spoken-eras.ts';
import type { Store, Tx } from '../../platform/database/store.ts';
import { WriteBehind } from '../../platform/write-behind.ts';
import type { CredentialTarget } from '../target.ts';

/** An integration, the URL that was asked, and what was known of it. */
interface Asked extends Pick<CredentialTarget, 'integrationId' | 'url'> {
  readonly spokenEras: SpokenEras;
}

/** Writes behind which eras upstreams speak. */
export interface EraNotes {
  /** Costs nothing if that is known. */
  note(asked: Asked, spoken: SpokenEras): void;
  /** Writes it before it resolves, whatever was known before. What cannot be written now is written behind. */
  write(asked: Omit<Asked, 'spokenEras'>, spoken: SpokenEras): Promise<void>;
  /** Writes what waits. @throws when that fails; it waits for the next write. */
  flush(): Promise<void>;
  /** Writes what waits and stops. @throws when that fails. */
  close(): Promise<void>;
}

interface Note extends Omit<Asked, 'spokenEras'> {
  readonly spoken: SpokenEras;
}

/** Milliseconds from a note to its write at most. */
const WRITE_EVERY = 1_000;

/** Integrations in one transaction: each takes a statement. */
const BATCH = 50;

const MAX_WAITING = 1_000;

/** @param onError called when a write fails that will be tried again, and when notes are lost. */
export function createEraNotes(store: Store, onError: (error: unknown) => void): EraNotes {
  const writer = new WriteBehind<Note>({
    interval: WRITE_EVERY,
    batchSize: BATCH,
    maxWaiting: MAX_WAITING,
    merge: (older, newer) => ({ ...newer, spoken: { ...older.spoken, ...newer.spoken } }),
    async write(notes) {
      // By ascending id, so that two nodes cannot deadlock.
      const sorted = [...notes.values()].sort((a, b) =>
        a.integrationId < b.integrationId ? -1 : 1,
      );
      await store.transaction(async (tx) => {
        for (const note of sorted) await writeNote(tx, note);
      });
      return undefined;
    },
    onError,
  });
  const add = ({ integrationId, url }: Omit<Asked, 'spokenEras'>, spoken: SpokenEras): void =>
    writer.add(`${integrationId} ${url}`, { integrationId, url, spoken });
  return {
    note(asked, spoken) {
      if (isNews(spoken, asked.spokenEras)) add(asked, spoken);
    },
    write(asked, spoken) {
      add(asked, spoken);
      return writer.flush().catch(onError);
    },
    flush: () => writer.flush(),
    close: () => writer.close(),
  };
}

/**
 * Adds what is new to what is known of the same URL, and forgets what was known of another one. Writes
 * and announces only a change.
 */
async function writeNote(
  { db, announce }: Tx,
  { integrationId, url, spoken }: Note,
): Promise<void> {
  const stored = storedEras(url, spoken);
  const written = await db.$executeRaw`
    UPDATE "Integration" i SET "spokenEras" = n."eras" FROM (
      SELECT "id", CASE WHEN "spokenEras"->>'url' = "url" THEN "spokenEras" ELSE '{}'::jsonb END
        || ${stored}::jsonb AS "eras"
      FROM "Integration" WHERE "id" = ${integrationId}::uuid
    ) n
    WHERE i."id" = n."id" AND i."url" = ${url} AND i."archivedAt" IS NULL
      AND i."spokenEras" IS DISTINCT FROM n."eras"`;
  if (written === 1) announce({ kind: 'integration', id: integrationId });
}
