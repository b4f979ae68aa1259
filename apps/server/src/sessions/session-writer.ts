import type { Store } from '../platform/database/store.ts';
import { GroupCommit } from '../platform/group-commit.ts';
import type { SessionRow } from './repository.ts';
import {
  closeSession,
  createSession,
  type OpeningSession,
  openedRow,
  writeTogether,
} from './session-writes.ts';

/** Sessions in one statement at most. */
const BATCH = 200;

type Write =
  | { readonly kind: 'open'; readonly opening: OpeningSession }
  | { readonly kind: 'close'; readonly id: string };

/** Writes the beginning and end of legacy sessions; simultaneous ones share a statement. */
export class SessionWriter {
  readonly #store: Store;
  readonly #writes: GroupCommit<Write>;

  constructor(store: Store) {
    this.#store = store;
    this.#writes = new GroupCommit({ batchSize: BATCH, write: (batch) => this.#write(batch) });
  }

  /** @throws ProblemError like `createSession`. */
  async open(opening: OpeningSession): Promise<SessionRow> {
    const write = { kind: 'open', opening } as const;
    // Another node's batch locks the application for a moment.
    if ((await this.#writes.add(write)) || (await this.#writes.add(write))) {
      return openedRow(opening);
    }
    // Refused, or one of its rows stays locked: only a separate transaction waits for that.
    return this.#store.transaction(({ db }) => createSession(db, opening));
  }

  /** Closes an open session; one that has ended is left as it is. */
  async close(id: string): Promise<void> {
    if (await this.#writes.add({ kind: 'close', id })) return;
    await this.#store.transaction(async ({ db, announce }) => {
      if (await closeSession(db, id)) announce({ kind: 'session', id });
    });
  }

  async #write(batch: readonly Write[]): Promise<ReadonlySet<Write>> {
    const opening = batch.flatMap((write) => (write.kind === 'open' ? [write.opening] : []));
    const closing = batch.flatMap((write) => (write.kind === 'close' ? [write.id] : []));
    const written = await writeTogether(this.#store, opening, closing);
    return new Set(batch.filter((write) => written.has(idOf(write))));
  }
}

function idOf(write: Write): string {
  return write.kind === 'open' ? write.opening.session.id : write.id;
}
