import { hash } from 'node:crypto';
import { memberOf, placeOf } from '../../mcp/translation/members.ts';
import { rawOf, readMessage } from '../../mcp/translation/message-reader.ts';
import type { ChangeSet } from '../../platform/changes/changes.ts';
import type { Store } from '../../platform/database/store.ts';
import type { AggregateSession } from '../../sessions/sessions.ts';
import { Cancellations } from './cancellations.ts';

const CANCELLED = placeOf([], { params: placeOf(['requestId']) });

/** Bytes of a cancellation. */
const MAX_CANCELLATION = 64 * 1024;

/** Requests of legacy clients that are in flight on this node: they can be cancelled, on any node. */
export class ClientRequests {
  /** By session and id. */
  readonly #inFlight = new Map<string, Map<string, () => void>>();
  readonly #cancellations: Cancellations;
  readonly #unsubscribe: () => void;

  constructor(store: Pick<Store, 'changes' | 'transaction'>, onError: (error: unknown) => void) {
    this.#cancellations = new Cancellations(store, onError);
    this.#unsubscribe = store.changes.subscribe({ react: (changes) => this.#react(changes) });
  }

  /** A request has begun. @param id the client's, raw JSON @returns what tells that it has ended */
  begin(
    { id: sessionId }: Pick<AggregateSession, 'id'>,
    id: string,
    cancel: () => void,
  ): () => void {
    const requests = this.#inFlight.get(sessionId) ?? new Map<string, () => void>();
    this.#inFlight.set(sessionId, requests.set(id, cancel));
    return () => {
      if (requests.get(id) === cancel) requests.delete(id);
      if (requests.size === 0 && this.#inFlight.get(sessionId) === requests) {
        this.#inFlight.delete(sessionId);
      }
    };
  }

  /** A client has sent a notification of cancellation. The other nodes hear of it if the request is not in flight here. */
  async cancel(session: AggregateSession, body: Buffer): Promise<void> {
    if (body.length > MAX_CANCELLATION) return;
    const message = await readMessage(body, CANCELLED);
    const params = memberOf(message?.object, 'params')?.object;
    const id = message && rawOf(message, params, 'requestId');
    if (id === undefined) return;
    const cancel = this.#inFlight.get(session.id)?.get(id);
    if (cancel !== undefined) cancel();
    else this.#cancellations.announce(`${session.id}:${hashOf(id)}`, session.subjectId);
  }

  close(): void {
    this.#unsubscribe();
    this.#cancellations.close();
  }

  #react(changes: ChangeSet): void {
    if (changes === 'everything') return;
    for (const { kind, id } of changes) if (kind === 'cancellation') this.#cancelAnnounced(id);
  }

  #cancelAnnounced(announced: string): void {
    const [sessionId = '', announcedHash] = announced.split(':', 2);
    for (const [id, cancel] of [...(this.#inFlight.get(sessionId) ?? [])]) {
      if (hashOf(id) === announcedHash) cancel();
    }
  }
}

/** Short, because it is announced. */
function hashOf(id: string): string {
  return hash('sha256', id, 'base64url');
}
