import { type ChangeSet, type Changes, rowKey } from '../platform/changes/changes.ts';
import type { Call } from './call.ts';
import { type HeldCall, HeldCalls } from './held-calls.ts';
import { shuttingDown, timedOut } from './problems.ts';
import { isAdmitted, isExpiredStream, Reauthorizations, rowsOf } from './reauthorizations.ts';
import { SwapRemoveList } from './swap-remove-list.ts';

export interface OpenCallsOptions {
  readonly changes: Changes;
  /** Cuts those calls that are no longer allowed. Rejects when the database cannot be read. */
  readonly reauthorize: (calls: readonly Call[]) => Promise<void>;
  readonly callDeadline: number;
  readonly onError: (error: unknown) => void;
}

/** Milliseconds between two checks of deadlines and freshness. */
const TICK = 250;

/**
 * The calls on this node, from their arrival to their end, and those that are held. A call is authorized again when a row that it
 * depends on changes, a stream is when its token expires, and all calls are, at every tick, while this
 * node may have missed changes.
 */
export class OpenCalls {
  isClosing = false;
  readonly #options: OpenCallsOptions;
  readonly #calls = new SwapRemoveList<Call>();
  readonly #held: HeldCalls;
  readonly #reauthorizations: Reauthorizations<Call>;
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  #changedAt = 0;
  /** Called while closing, once only open-ended streams are left. */
  #onOver: (() => void) | undefined;

  constructor(options: OpenCallsOptions) {
    this.#options = options;
    this.#held = new HeldCalls(options.onError);
    this.#reauthorizations = new Reauthorizations({ ...options, isReady: isAdmitted });
    this.#unsubscribe = options.changes.subscribe({
      react: (changes) => this.#onChanges(changes),
    });
    this.#timer = setInterval(() => this.#tick(), TICK);
    this.#timer.unref();
  }

  /** On arrival: closing also waits for calls that are being admitted or refused. */
  add(call: Call): void {
    this.#calls.add(call);
  }

  /** Whether a row may have changed since the call arrived. */
  mayHaveChanged(call: Pick<Call, 'startedAt'>): boolean {
    return call.startedAt <= this.#changedAt || !this.#options.changes.isFresh();
  }

  /** Once a call is admitted, and once it is a stream: authorizes it if something has changed since it arrived. */
  reauthorizeIfChanged(call: Call): void {
    if (call.startedAt > this.#changedAt) return;
    this.#reauthorizations.add(call);
    void this.#reauthorizations.run();
  }

  delete(call: Call): void {
    this.#calls.delete(call);
    this.#noteEnd();
  }

  /** Closing waits for it, as for an open call. */
  hold(call: HeldCall): void {
    this.#held.add(call);
  }

  release(call: HeldCall): void {
    this.#held.delete(call);
    this.#noteEnd();
  }

  /** Once nothing is upstream for it: authorizes it if something has changed since. @param startedAt of its last request */
  reauthorizeHeldIfChanged(call: HeldCall, startedAt: number): void {
    if (this.mayHaveChanged({ startedAt })) this.#held.check(call);
  }

  some(predicate: (call: Call) => boolean): boolean {
    return this.#calls.some(predicate);
  }

  countStreams(): number {
    let count = 0;
    for (const call of this.#calls.toArray()) if (call.isStream) count += 1;
    return count;
  }

  /**
   * Waits for calls, `deadline` milliseconds at most, and then ends what is left. Open-ended streams come
   * last: a client that cannot connect again at once may give up on them.
   */
  async close(deadline: number): Promise<void> {
    this.isClosing = true;
    if (!this.#isOver()) await this.#waitUntilOver(deadline);
    for (const call of this.#calls.toArray()) call.cut(shuttingDown());
    this.#held.cut(shuttingDown());
    clearInterval(this.#timer);
    this.#unsubscribe();
  }

  #isOver(): boolean {
    return this.#held.size === 0 && this.#calls.every(isOpenEnded);
  }

  #noteEnd(): void {
    if (this.#onOver !== undefined && this.#isOver()) this.#onOver();
  }

  async #waitUntilOver(deadline: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#onOver = resolve;
      timer = setTimeout(resolve, deadline);
    });
    clearTimeout(timer);
    this.#onOver = undefined;
  }

  #onChanges(changes: ChangeSet): void {
    this.#changedAt = performance.now();
    if (this.#calls.size === 0 && this.#held.size === 0) return;
    const changedRows = changes === 'everything' ? undefined : new Set(changes.map(rowKey));
    for (const call of this.#calls.toArray()) {
      if (changedRows === undefined || rowsOf(call).some((row) => changedRows.has(row))) {
        this.#reauthorizations.add(call);
      }
    }
    void this.#reauthorizations.run();
    this.#held.checkChanged(changedRows);
  }

  #tick(): void {
    const now = performance.now();
    const isFresh = this.#options.changes.isFresh();
    const date = Date.now();
    for (const call of this.#calls.toArray()) {
      if (call.isStream) call.exchange?.keepAlive(now);
      else if (now - call.startedAt > this.#options.callDeadline) {
        call.refuse(timedOut(), 'deadline');
        continue;
      }
      if (!isFresh || isExpiredStream(call, date)) this.#reauthorizations.add(call);
    }
    void this.#reauthorizations.run();
    this.#held.keepAlive(now);
    if (isFresh) this.#held.retry();
    else this.#held.checkChanged(undefined);
  }
}

/** A stream without a natural end: GET (legacy) and `subscriptions/listen` (2026-07-28). */
export function isOpenEnded({ request, inbound }: Pick<Call, 'request' | 'inbound'>): boolean {
  return request.method === 'GET' || inbound.mcpMethod === 'subscriptions/listen';
}
