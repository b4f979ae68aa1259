import type { Store } from '../platform/database/store.ts';
import { endAssignments, isInFlight } from './sql.ts';

/** Open legacy sessions of one person, soon after there were more. */
const MAX_OPEN = 1_000;

/** After so many openings by one person on this node, that person's sessions are counted. */
const COUNT_EVERY = 100;

/** More than are opened meanwhile, and no more than the embedded database closes in some 20 ms. */
const CLOSED_AT_ONCE = 150;

/** People whose openings are counted at once. */
const MAX_PEOPLE = 10_000;

/**
 * Closes the longest silent sessions of people who open many and end none. No call waits for it, and
 * nobody is refused: a client whose session is gone gets 404 and initializes again.
 */
export class SessionLimit {
  readonly #store: Store;
  readonly #onError: (error: unknown) => void;
  /** By user. */
  readonly #opened = new Map<string, number>();

  constructor(store: Store, onError: (error: unknown) => void) {
    this.#store = store;
    this.#onError = onError;
  }

  noteOpened(userId: string): void {
    const opened = (this.#opened.get(userId) ?? 0) + 1;
    if (opened < COUNT_EVERY) {
      if (this.#opened.size >= MAX_PEOPLE) this.#opened.clear();
      this.#opened.set(userId, opened);
      return;
    }
    this.#opened.delete(userId);
    closeExcess(this.#store, userId).catch(this.#onError);
  }
}

/** Closes the open sessions of a user beyond the limit, except for those that have something in flight. */
async function closeExcess(store: Store, userId: string): Promise<void> {
  await store.transaction(async ({ db, announce }) => {
    const closed = await db.$queryRaw<{ id: string }[]>`
      UPDATE "Session" SET ${endAssignments('closed')}, "endedAt" = now()
      WHERE "state" = 'open' AND "id" = ANY(ARRAY(
        SELECT s."id" FROM "Session" s
        WHERE s."userId" = ${userId}::uuid AND s."state" = 'open' AND s."era" = 'legacy'
          AND NOT ${isInFlight}
        ORDER BY s."lastActivityAt" DESC, s."id" DESC OFFSET ${MAX_OPEN} LIMIT ${CLOSED_AT_ONCE}))
      RETURNING "id"`;
    announce(...closed.map(({ id }) => ({ kind: 'session', id }) as const));
  });
}
