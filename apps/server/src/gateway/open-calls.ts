import { isTokenExpired } from '../identity/actor.ts';
import type { ChangeSet, Changes } from '../platform/changes/changes.ts';
import { rowKey } from '../platform/changes/changes.ts';
import type { Call } from './call.ts';
import { shuttingDown, timedOut } from './problems.ts';
import { SwapRemoveList } from './swap-remove-list.ts';

export interface OpenCallsOptions {
  readonly changes: Changes;
  /** Cuts those calls that are no longer allowed. Rejects when the database cannot be read. */
  readonly recheck: (calls: readonly Call[]) => Promise<void>;
  readonly callDeadline: number;
  readonly onError: (error: unknown) => void;
}

/** Milliseconds between two checks of deadlines and freshness. */
const TICK = 250;

/**
 * The calls on this node, from their arrival to their end. A call is rechecked when a row that it
 * depends on changes, a stream is when its token expires, and all calls are, at every tick, while this
 * node may have missed changes.
 */
export class OpenCalls {
  isClosing = false;
  readonly #options: OpenCallsOptions;
  readonly #calls = new SwapRemoveList<Call>();
  /** To be rechecked. */
  readonly #pending = new Set<Call>();
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  #isRechecking = false;
  #changedAt = 0;
  /** Called while closing, once only open-ended streams are left. */
  #onOver: (() => void) | undefined;

  constructor(options: OpenCallsOptions) {
    this.#options = options;
    this.#unsubscribe = options.changes.subscribe((changes) => this.#onChanges(changes));
    this.#timer = setInterval(() => this.#tick(), TICK);
    this.#timer.unref();
  }

  /** On arrival: closing also waits for calls that are being admitted or refused. */
  add(call: Call): void {
    this.#calls.add(call);
  }

  /** Once a call is admitted, and once it is a stream: rechecks it if something has changed since it arrived. */
  recheckIfChanged(call: Call): void {
    if (call.startedAt > this.#changedAt) return;
    this.#pending.add(call);
    void this.#recheckPending();
  }

  delete(call: Call): void {
    this.#calls.delete(call);
    if (this.#onOver !== undefined && this.#isOver()) this.#onOver();
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
    clearInterval(this.#timer);
    this.#unsubscribe();
  }

  #isOver(): boolean {
    return this.#calls.every(isOpenEnded);
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
    if (this.#calls.size === 0) return;
    const changedRows = changes === 'everything' ? undefined : new Set(changes.map(rowKey));
    for (const call of this.#calls.toArray()) {
      if (changedRows === undefined || rowsOf(call).some((row) => changedRows.has(row))) {
        this.#pending.add(call);
      }
    }
    void this.#recheckPending();
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
      if (!isFresh || isExpiredStream(call, date)) this.#pending.add(call);
    }
    void this.#recheckPending();
  }

  /** One recheck at a time. Calls added meanwhile follow at once, failed ones at the next tick. */
  async #recheckPending(): Promise<void> {
    if (this.#isRechecking || this.#pending.size === 0) return;
    const calls = [...this.#pending].filter(isAdmitted);
    this.#pending.clear();
    if (calls.length === 0) return;
    this.#isRechecking = true;
    try {
      await this.#options.recheck(calls);
    } catch (error) {
      for (const call of calls) this.#pending.add(call);
      this.#options.onError(error);
      return;
    } finally {
      this.#isRechecking = false;
    }
    void this.#recheckPending();
  }
}

/** A call that is still being admitted cannot be rechecked: `recheckIfChanged` follows its admission. */
function isAdmitted({ hasEnded, admission }: Call): boolean {
  return !hasEnded && admission !== undefined;
}

/** The recheck asks the database. A call that is no stream may finish. */
function isExpiredStream({ isStream, admission }: Call, date: number): boolean {
  return isStream && admission !== undefined && isTokenExpired(admission.actor, date);
}

/**
 * The rows whose change may end the call, or its session: sessions that are revoked together are
 * not announced one by one, only the row that they depended on is.
 */
function rowsOf({ admission, session }: Call): string[] {
  if (admission === undefined) return [];
  const { actor, route } = admission;
  const { applicationId, integrationId } = route;
  const changes = [
    { kind: 'token', id: actor.tokenId },
    { kind: 'member', id: actor.userId },
    { kind: 'application', id: applicationId },
    { kind: 'integration', id: integrationId },
    { kind: 'connection', id: `${integrationId}:${actor.userId}` },
  ] as const;
  const rows = changes.map(rowKey);
  if (session !== undefined) rows.push(rowKey({ kind: 'session', id: session.id }));
  return rows;
}

/** A stream without an end of its own: GET (legacy) and `subscriptions/listen` (2026-07-28). */
function isOpenEnded({ req, inbound }: Call): boolean {
  return req.method === 'GET' || inbound.mcpMethod === 'subscriptions/listen';
}
