import type { Store } from '../platform/database/store.ts';
import { endAssignments, isInFlight } from './sql.ts';

/** Open legacy sessions of one person, soon after there were more; and open aggregate sessions. */
export const MAX_OPEN = 1_000;

/** After this many openings by one person on this node, that person's sessions are counted. */
const COUNT_EVERY = 100;

/** More than are opened in that time, and no more than the embedded database closes in about 20 ms. */
export const CLOSED_AT_ONCE = 150;

/** The most people with counted openings. */
const MAX_PEOPLE = 10_000;

/**
 * Closes the longest idle sessions of people who open many and never end them. No call waits for it,
 * and no call is refused: a client without its session gets 404 and initializes again.
 */
export class SessionLimit {
  readonly #closeExcess: (subjectId: string) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  /** By user. */
  readonly #opened = new Map<string, number>();

  /** @param closeExcess closes the open ones of a user beyond {@link MAX_OPEN} */
  constructor(
    closeExcess: (subjectId: string) => Promise<void>,
    onError: (error: unknown) => void,
  ) {
    this.#closeExcess = closeExcess;
    this.#onError = onError;
  }

  noteOpened(subjectId: string): void {
    const opened = (this.#opened.get(subjectId) ?? 0) + 1;
    if (opened < COUNT_EVERY) {
      if (this.#opened.size >= MAX_PEOPLE) this.#opened.clear();
      this.#opened.set(subjectId, opened);
      return;
    }
    this.#opened.delete(subjectId);
    this.#closeExcess(subjectId).catch(this.#onError);
  }
}

/** Closes the open sessions of a user beyond the limit, except for those that have something in flight. */
export async function closeExcess(store: Store, subjectId: string): Promise<void> {
  await store.transaction(async ({ db, announce }) => {
    const closed = await db.$queryRaw<{ id: string }[]>`
      UPDATE "Session" SET ${endAssignments('closed')}, "endedAt" = now()
      WHERE "state" = 'open' AND "id" = ANY(ARRAY(
        SELECT s."id" FROM "Session" s
        WHERE s."userId" = ${subjectId}::uuid AND s."state" = 'open' AND s."era" = 'legacy'
          AND NOT ${isInFlight}
        ORDER BY s."lastActivityAt" DESC, s."id" DESC OFFSET ${MAX_OPEN} LIMIT ${CLOSED_AT_ONCE}))
      RETURNING "id"`;
    announce(...closed.map(({ id }) => ({ kind: 'session', id }) as const));
  });
}
