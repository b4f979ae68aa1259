import type { ChangeSet, Changes } from '../platform/changes/changes.ts';
import { rowKey } from '../platform/changes/changes.ts';
import { Bag } from './bag.ts';
import type { Call } from './call.ts';
import { closing, timedOut } from './problems.ts';

export interface OpenCallsOptions {
  readonly changes: Changes;
  /** Asks anew whether calls may go on, and cuts those that may not. Rejects when that cannot be told. */
  readonly reauthorize: (calls: readonly Call[]) => Promise<void>;
  readonly callDeadline: number;
  readonly onError: (error: unknown) => void;
}

/** Milliseconds between two looks at the calls in flight. */
const TICK = 250;

/**
 * The calls on this node, from their arrival to their end. When a row that one of them rests on
 * changes, it is authorized anew. While this node may have missed changes it asks about all of them,
 * again and again.
 */
export class OpenCalls {
  isClosing = false;
  readonly #options: OpenCallsOptions;
  readonly #calls = new Bag<Call>();
  readonly #doubted = new Set<Call>();
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  #isAsking = false;
  #heardAt = 0;
  #onEmpty: (() => void) | undefined;

  constructor(options: OpenCallsOptions) {
    this.#options = options;
    this.#unsubscribe = options.changes.subscribe((heard) => this.#hear(heard));
    this.#timer = setInterval(() => this.#tick(), TICK);
    this.#timer.unref();
  }

  /** From its arrival on: closing waits also for calls that are being admitted, or answered from here. */
  add(call: Call): void {
    this.#calls.add(call);
  }

  /** It goes up now, by what its admission says. */
  admit(call: Call): void {
    if (call.startedAt > this.#heardAt) return;
    // Something changed while it was being admitted: perhaps what it was admitted by.
    this.#doubted.add(call);
    this.#ask();
  }

  delete(call: Call): void {
    this.#calls.delete(call);
    if (this.#calls.size === 0) this.#onEmpty?.();
  }

  countStreams(): number {
    let count = 0;
    for (const call of this.#calls.toArray()) if (call.isStream) count += 1;
    return count;
  }

  /** Ends streams that wait for the server, gives other calls `deadline` milliseconds, then ends them too. */
  async close(deadline: number): Promise<void> {
    this.isClosing = true;
    for (const call of this.#calls.toArray()) if (isOpenEnded(call)) call.cut(closing());
    if (this.#calls.size > 0) await this.#emptied(deadline);
    for (const call of this.#calls.toArray()) call.cut(closing());
    clearInterval(this.#timer);
    this.#unsubscribe();
  }

  async #emptied(deadline: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
      timer = setTimeout(resolve, deadline);
    });
    clearTimeout(timer);
  }

  #hear(heard: ChangeSet): void {
    this.#heardAt = performance.now();
    if (this.#calls.size === 0) return;
    const tags = heard === 'everything' ? undefined : new Set(heard.map(rowKey));
    for (const call of this.#calls.toArray()) {
      if (tags === undefined || tagsOf(call).some((tag) => tags.has(tag))) this.#doubted.add(call);
    }
    this.#ask();
  }

  #tick(): void {
    const now = performance.now();
    for (const call of this.#calls.toArray()) {
      if (!call.isStream && now - call.startedAt > this.#options.callDeadline) {
        call.refuse(timedOut(), 'deadline');
      }
    }
    if (!this.#options.changes.isFresh())
      for (const call of this.#calls.toArray()) this.#doubted.add(call);
    this.#ask();
  }

  /** One question at a time; what comes up meanwhile, or could not be answered, is asked next. */
  #ask(): void {
    if (this.#isAsking || this.#doubted.size === 0) return;
    const calls = [...this.#doubted].filter(isRelayed);
    this.#doubted.clear();
    if (calls.length === 0) return;
    this.#isAsking = true;
    this.#options
      .reauthorize(calls)
      .catch((error: unknown) => {
        for (const call of calls) this.#doubted.add(call);
        this.#options.onError(error);
        return 'failed' as const;
      })
      .then((result) => {
        this.#isAsking = false;
        if (result !== 'failed') this.#ask();
      });
  }
}

/** Of one that is still being admitted there is nothing to ask yet: `admit` sees whether it is in doubt. */
function isRelayed({ isOver, admission }: Call): boolean {
  return !isOver && admission !== undefined;
}

function tagsOf({ admission, session }: Call): string[] {
  if (admission === undefined) return [];
  const { actor, route } = admission;
  const { applicationId, integrationId } = route;
  const rows = [
    { kind: 'token', id: actor.tokenId },
    { kind: 'member', id: actor.userId },
    { kind: 'application', id: applicationId },
    { kind: 'integration', id: integrationId },
    { kind: 'connection', id: `${integrationId}:${actor.userId}` },
  ] as const;
  const tags = rows.map(rowKey);
  if (session !== undefined) tags.push(rowKey({ kind: 'session', id: session.id }));
  return tags;
}

/** A stream that ends only when somebody ends it: GET (legacy) and `subscriptions/listen` (2026-07-28). */
function isOpenEnded({ req, inbound }: Call): boolean {
  return req.method === 'GET' || inbound.mcpMethod === 'subscriptions/listen';
}
