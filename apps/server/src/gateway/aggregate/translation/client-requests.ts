import { createHash } from 'node:crypto';
import { memberOf, placeOf } from '../../../mcp/translation/members.ts';
import { rawOf, readMessage } from '../../../mcp/translation/message-reader.ts';
import type { ChangeSet } from '../../../platform/changes/changes.ts';
import type { Store } from '../../../platform/database/store.ts';
import type { AggregateSession } from '../../../sessions/sessions.ts';
import { Cancellations } from './cancellations.ts';

const CANCELLED = placeOf([], { params: placeOf(['requestId']) });

/** Bytes of a cancellation. */
const MAX_CANCELLATION = 64 * 1024;

/**
 * Requests of legacy clients that are in flight on this node without a session upstream: they can be cancelled, on any
 * node.
 */
export class ClientRequests {
  readonly #inFlight = new Map<string, () => void>();
  readonly #cancellations: Cancellations;
  readonly #unsubscribe: () => void;

  constructor(store: Pick<Store, 'changes' | 'transaction'>, onError: (error: unknown) => void) {
    this.#cancellations = new Cancellations(store, onError);
    this.#unsubscribe = store.changes.subscribe({ react: (changes) => this.#react(changes) });
  }

  /** A request has begun. @param id the client's, raw JSON @returns what tells that it has ended */
  begin(session: Pick<AggregateSession, 'id'>, id: string, cancel: () => void): () => void {
    const key = keyOf(session, id);
    this.#inFlight.set(key, cancel);
    return () => {
      if (this.#inFlight.get(key) === cancel) this.#inFlight.delete(key);
    };
  }

  /** A client has sent a notification of cancellation. The other nodes hear of it if the request is not in flight here. */
  async cancel(session: AggregateSession, body: Buffer): Promise<void> {
    if (body.length > MAX_CANCELLATION) return;
    const message = await readMessage(body, CANCELLED);
    const params = memberOf(message?.object, 'params')?.object;
    const id = message && rawOf(message, params, 'requestId');
    if (id === undefined) return;
    const key = keyOf(session, id);
    const cancel = this.#inFlight.get(key);
    if (cancel !== undefined) cancel();
    else this.#cancellations.announce(key, session.subjectId);
  }

  close(): void {
    this.#unsubscribe();
    this.#cancellations.close();
  }

  #react(changes: ChangeSet): void {
    if (changes === 'everything') return;
    for (const { kind, id } of changes) if (kind === 'cancellation') this.#inFlight.get(id)?.();
  }
}

/** Short, because it is announced. */
function keyOf({ id: sessionId }: Pick<AggregateSession, 'id'>, id: string): string {
  return `${sessionId}:${createHash('sha256').update(id).digest('base64url')}`;
}
