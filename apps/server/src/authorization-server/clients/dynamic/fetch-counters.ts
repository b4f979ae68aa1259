import { InHand } from '../../../platform/in-hand.ts';
import { MinuteBudget } from '../../../platform/minute-budget.ts';

/** A limit of fetches. */
export interface Limit {
  /** At the same time. */
  readonly running: number;
  readonly perMinute: number;
}

/** Counts the fetches of one kind of key. */
export class Counter {
  readonly #running: number;
  readonly #inHand = new InHand();
  readonly #minute: MinuteBudget;

  constructor({ running, perMinute }: Limit) {
    this.#running = running;
    this.#minute = new MinuteBudget(perMinute);
  }

  begin(key: string): boolean {
    if (!this.#inHand.begin(key, this.#running)) return false;
    if (this.#minute.take(key) === 0) return true;
    this.#inHand.end(key);
    return false;
  }

  end(key: string): void {
    this.#inHand.end(key);
  }

  /** The fetch did not begin. */
  takeBack(key: string): void {
    this.#inHand.end(key);
    this.#minute.giveBack(key);
  }

  /** The fetch counts twice in this minute. */
  countAgain(key: string): void {
    this.#minute.take(key);
  }
}

/** A counter, and for which of its keys a fetch counts. */
export type CountedBy = readonly [counter: Counter, key: string];

/** A fetch that counts. */
export interface Counted {
  end(): void;
  /** For this minute twice. */
  countAgain(): void;
}

/** Counts a fetch by each key, or by no key. @returns undefined if one has no room */
export function countAll(counts: readonly CountedBy[]): Counted | undefined {
  const refusing = counts.findIndex(([counter, key]) => !counter.begin(key));
  if (refusing !== -1) {
    for (const [counter, key] of counts.slice(0, refusing)) counter.takeBack(key);
    return undefined;
  }
  return {
    end() {
      for (const [counter, key] of counts) counter.end(key);
    },
    countAgain() {
      for (const [counter, key] of counts) counter.countAgain(key);
    },
  };
}
