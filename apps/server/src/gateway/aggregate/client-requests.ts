import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { objectOf } from '../../mcp/json/shape.ts';
import { readMessage } from '../../mcp/translation/message-reader.ts';
import type { ChangeSet } from '../../platform/changes/changes.ts';
import type { Store } from '../../platform/database/store.ts';
import type { AggregateSession } from '../../sessions/sessions.ts';
import { type ListMember, SwapRemoveList } from '../swap-remove-list.ts';

const CANCELLED = objectOf([], { params: objectOf(['requestId']) });

/** Bytes of a cancellation. */
const MAX_CANCELLATION = 64 * 1024;

/** Requests of legacy clients that are in flight on this node: they can be cancelled, on any node. */
export class ClientRequests {
  readonly #inFlight = new SwapRemoveList<ClientRequest>();
  readonly #cancellations: Cancellations;
  readonly #unsubscribe: () => void;

  constructor(store: Pick<Store, 'changes' | 'transaction'>, onError: (error: unknown) => void) {
    this.#cancellations = new Cancellations(store, onError);
    this.#unsubscribe = store.changes.subscribe({ react: (changes) => this.#react(changes) });
  }

  /** A request has begun, and is in flight until `end`. @param id the client's, raw JSON @param onCancel called once */
  begin(
    { id: sessionId }: Pick<AggregateSession, 'id'>,
    id: string,
    onCancel: OnCancel,
  ): ClientRequest {
    const request = new ClientRequest(sessionId, id, onCancel);
    this.#inFlight.add(request);
    return request;
  }

  end(request: ClientRequest): void {
    this.#inFlight.delete(request);
  }

  /** A client has sent a notification of cancellation. The other nodes hear of it if the request is not in flight here. */
  async cancel(session: AggregateSession, body: Buffer): Promise<void> {
    if (body.length > MAX_CANCELLATION) return;
    const message = await readMessage(body, CANCELLED);
    const params = message?.object.member('params');
    const id = message && params?.member('requestId')?.raw(message.bytes);
    if (id === undefined) return;
    const here = this.#inFlight
      .toArray()
      .filter((request) => request.sessionId === session.id && request.id === id);
    for (const request of here) request.cancel(body);
    if (here.length === 0) this.#cancellations.announce(keyOf(session.id, id), session.subjectId);
  }

  close(): void {
    this.#unsubscribe();
    this.#cancellations.close();
  }

  #react(changes: ChangeSet): void {
    if (changes === 'everything') return;
    const announced = new Set<string>();
    for (const { kind, id } of changes) if (kind === 'cancellation') announced.add(id);
    if (announced.size > 0) this.#cancelAnnounced(announced);
  }

  /** In one pass over what is in flight: only those of the announced sessions are hashed. */
  #cancelAnnounced(announced: ReadonlySet<string>): void {
    const sessionIds = new Set([...announced].map((key) => key.split(':', 1)[0]));
    for (const request of this.#inFlight.toArray()) {
      const { sessionId, id } = request;
      if (sessionIds.has(sessionId) && announced.has(keyOf(sessionId, id))) request.cancel();
    }
  }
}

/** @param body the notification, if it has come to this node */
type OnCancel = (body?: Buffer) => void;

/** A request of a legacy client that waits for its answer. */
export class ClientRequest implements ListMember {
  readonly sessionId: string;
  /** The client's, raw JSON. */
  readonly id: string;
  isCancelled = false;
  readonly #onCancel: OnCancel;
  #listIndex = -1;

  constructor(sessionId: string, id: string, onCancel: OnCancel) {
    this.sessionId = sessionId;
    this.id = id;
    this.#onCancel = onCancel;
  }

  get listIndex(): number {
    return this.#listIndex;
  }

  listedAt(index: number): void {
    this.#listIndex = index;
  }

  cancel(body?: Buffer): void {
    if (this.isCancelled) return;
    this.isCancelled = true;
    this.#onCancel(body);
  }
}

/** Of a request among all sessions. Short, because it is announced. */
function keyOf(sessionId: string, id: string): string {
  return `${sessionId}:${hash('sha256', id, 'base64url')}`;
}

/** In one announcement. */
const BATCH = 64;

/** Of all people, and of one person, that wait to be announced. More are dropped: the protocol lets a request go on. */
const MAX_WAITING = 1_000;
const MAX_OF_PERSON = 16;

/** Milliseconds between two announcements: each costs every node a look at all of its open calls. */
const PAUSE = 100;

/** Tells the other nodes which requests their clients have cancelled. */
export class Cancellations {
  readonly #store: Pick<Store, 'transaction'>;
  readonly #onError: (error: unknown) => void;
  /** The person who has cancelled a request, by the key of the request. */
  readonly #waiting = new Map<string, string>();
  #isBusy = false;
  #isClosed = false;

  constructor(store: Pick<Store, 'transaction'>, onError: (error: unknown) => void) {
    this.#store = store;
    this.#onError = onError;
  }

  /** @param key of the request among all sessions */
  announce(key: string, personId: string): void {
    if (this.#isClosed || this.#waiting.size >= MAX_WAITING) return;
    const own = [...this.#waiting.values()].filter((waiting) => waiting === personId);
    if (own.length >= MAX_OF_PERSON) return;
    this.#waiting.set(key, personId);
    if (!this.#isBusy) void this.#announceWaiting();
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting.clear();
  }

  async #announceWaiting(): Promise<void> {
    this.#isBusy = true;
    while (this.#waiting.size > 0) {
      const keys = [...this.#waiting.keys()].slice(0, BATCH);
      for (const key of keys) this.#waiting.delete(key);
      const changes = keys.map((id) => ({ kind: 'cancellation', id }) as const);
      await this.#store.transaction(async (tx) => tx.announce(...changes)).catch(this.#onError);
      await pause(PAUSE, undefined, { ref: false });
    }
    this.#isBusy = false;
  }
}
