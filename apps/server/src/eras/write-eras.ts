import { type SpokenEras, storedEras } from '../mcp/spoken-eras.ts';
import type { Store, Tx } from '../platform/database/store.ts';
import { WriteBehind } from '../platform/write-behind.ts';

/** What an integration's server at a URL has shown of its eras. */
export interface ShownEras {
  readonly integrationId: string;
  readonly url: string;
  readonly spoken: SpokenEras;
}

/** Milliseconds from a note to its write at most. */
const WRITE_EVERY = 1_000;

/** Integrations in one transaction: each takes a statement. */
const BATCH = 50;

const MAX_WAITING = 1_000;

/** @param onError called when a write fails that will be tried again, and when notes are lost. */
export function createEraWriter(
  store: Store,
  onError: (error: unknown) => void,
): WriteBehind<ShownEras> {
  return new WriteBehind<ShownEras>({
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
        for (const shown of sorted) await writeEras(tx, shown);
      });
      return undefined;
    },
    onError,
  });
}

/**
 * Adds what is new to what is known of the same URL, and forgets what was known of another one. Writes
 * and announces only a change.
 */
async function writeEras(
  { db, announce }: Tx,
  { integrationId, url, spoken }: ShownEras,
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
