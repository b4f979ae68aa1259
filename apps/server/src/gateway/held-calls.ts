import { ProblemError } from '../platform/problem-error.ts';
import { Reauthorizations } from './reauthorizations.ts';
import { type ListMember, SwapRemoveList } from './swap-remove-list.ts';

/** A call of a client that may go on while no request is upstream for it, because the client is asked something. */
export interface HeldCall extends ListMember {
  /** It may end when one of these rows changes. Nothing while a request is upstream, which is an open call itself. */
  rows(): readonly string[];
  /** Authorizes it again. Rejects with a ProblemError if it is no longer allowed. */
  reauthorize(): Promise<void>;
  /** Ends it from our side. */
  cut(problem: ProblemError): void;
  /** @param now by the clock of `performance` */
  keepAlive(now: number): void;
}

/** Calls that are authorized again at the same time. */
const CONCURRENCY = 16;

/** The held calls of this node. */
export class HeldCalls {
  readonly #held = new SwapRemoveList<HeldCall>();
  readonly #reauthorizations: Reauthorizations<HeldCall>;

  constructor(onError: (error: unknown) => void) {
    const isReady = (call: HeldCall): boolean => call.listIndex >= 0;
    this.#reauthorizations = new Reauthorizations({ reauthorize, isReady, onError });
  }

  get size(): number {
    return this.#held.size;
  }

  add(call: HeldCall): void {
    this.#held.add(call);
  }

  delete(call: HeldCall): void {
    this.#held.delete(call);
  }

  /** Authorizes it again at once. */
  check(call: HeldCall): void {
    this.#reauthorizations.add(call);
    void this.#reauthorizations.run();
  }

  /** @param changedRows undefined if any row may have changed */
  checkChanged(changedRows: ReadonlySet<string> | undefined): void {
    for (const call of this.#held.toArray()) {
      const rows = call.rows();
      const mayEnd = changedRows === undefined || rows.some((row) => changedRows.has(row));
      if (rows.length > 0 && mayEnd) this.#reauthorizations.add(call);
    }
    void this.#reauthorizations.run();
  }

  /** Tries again those that could not be authorized. */
  retry(): void {
    void this.#reauthorizations.run();
  }

  cut(problem: ProblemError): void {
    for (const call of this.#held.toArray()) call.cut(problem);
  }

  keepAlive(now: number): void {
    for (const call of this.#held.toArray()) call.keepAlive(now);
  }
}

/** @throws whatever the database throws */
async function reauthorize(calls: readonly HeldCall[]): Promise<void> {
  for (let start = 0; start < calls.length; start += CONCURRENCY) {
    await Promise.all(calls.slice(start, start + CONCURRENCY).map(reauthorizeOne));
  }
}

async function reauthorizeOne(call: HeldCall): Promise<void> {
  try {
    await call.reauthorize();
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code === 'database_unavailable') throw error;
    call.cut(error);
  }
}
