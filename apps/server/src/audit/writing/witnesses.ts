import type { Store } from '../../platform/database/store.ts';
import type { RunHead } from '../block.ts';
import { readAllHeads, readRecentHeads, type SeenHead } from './block-writes.ts';
import type { Chain } from './link-blocks.ts';

/** Milliseconds between two looks at what other nodes have written. */
const LOOK_EVERY = 5_000;

/** Milliseconds. A clock of another node may be behind by less than this. */
const RECENT = 120_000;

/** Milliseconds after which a block that only witnesses is written, if another run has events that no block here names. */
const WITNESS_AFTER = 55_000;

/** The heads of other runs as this node sees them, which its own blocks name. */
export class Witnesses {
  readonly #store: Store;
  readonly #unseen = new Map<string, SeenHead>();
  readonly #named = new Map<string, number>();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #wroteAt = Number.NEGATIVE_INFINITY;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Reads what has changed, at most every 5 s. The first time it reads the heads of all runs there have been. */
  async look(now: number): Promise<void> {
    const isFirst = this.#lookedAt === Number.NEGATIVE_INFINITY;
    // An embedded database has no other nodes.
    if (!isFirst && this.#store.kind === 'pglite') return;
    if (now - this.#lookedAt < LOOK_EVERY) return;
    const { db, run } = this.#store;
    const heads = isFirst ? await readAllHeads(db) : await readRecentHeads(db, run, now - RECENT);
    this.#lookedAt = now;
    for (const head of heads) {
      if (this.#named.get(head.run) !== head.number) this.#unseen.set(head.run, head);
    }
  }

  /** The heads that no block of this run names yet. The next block names them. */
  unseen({ run }: Chain): RunHead[] {
    const heads = [...this.#unseen.values()].filter((head) => head.run !== run);
    return heads.map(({ run: other, number, hash }) => ({ run: other, number, hash }));
  }

  /** A block with the unseen heads is stored. */
  wrote(now: number): void {
    for (const { run, number } of this.#unseen.values()) this.#named.set(run, number);
    this.#unseen.clear();
    this.#wroteAt = now;
  }

  /** Whether a block that only witnesses must be written: the first of the run, or one that names new events of others. */
  isDue({ number }: Chain, now: number): boolean {
    if (number === 0) return true;
    const hasNew = [...this.#unseen.values()].some(({ isWitness }) => !isWitness);
    return hasNew && now - this.#wroteAt >= WITNESS_AFTER;
  }
}
