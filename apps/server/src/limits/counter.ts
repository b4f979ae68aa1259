/** The limit of one key. */
export interface Limit {
  readonly key: string;
  readonly limit: number;
}

/**
 * 0 if all was taken. Otherwise nothing was: the milliseconds to wait, or, where other nodes may have left something,
 * what asks for it. It rejects like `Store.statement`, and with ProblemError `overloaded`.
 */
export type Taking = number | (() => Promise<void>);

/** Counts requests under keys. Whatever is in memory takes no waiting. */
export interface Counter {
  take(limit: Limit, count: number): Taking;
  /** Gives back what was taken. */
  giveBack(key: string, count: number): void;
}

/** Milliseconds. */
export const MINUTE = 60_000;

/** Milliseconds after which it is worth asking for a slot again. */
export const SLOT_PAUSE = 1_000;
