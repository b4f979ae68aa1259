import { memberOf, placeOf } from '../../../mcp/translation/members.ts';
import { rawOf, readMessage } from '../../../mcp/translation/message-reader.ts';

type Waiting = (body: Buffer) => void;

const CANCELLED = placeOf([], { params: placeOf(['requestId']) });

/** Bytes of a cancellation. */
const MAX_CANCELLATION = 64 * 1024;

/**
 * What legacy clients of this node wait for that has no session upstream: requests that can be cancelled, and those that
 * they are to answer.
 */
export class ClientRequests {
  readonly #inFlight = new Map<string, () => void>();
  readonly #asked = new Map<string, Waiting>();

  /** A request has begun. @param id the client's, raw JSON @returns what tells that it has ended */
  begin(sessionId: string, id: string, cancel: () => void): () => void {
    const key = keyOf(sessionId, id);
    this.#inFlight.set(key, cancel);
    return () => {
      if (this.#inFlight.get(key) === cancel) this.#inFlight.delete(key);
    };
  }

  /** A client has sent a notification of cancellation. */
  async cancel(sessionId: string, body: Buffer): Promise<void> {
    if (body.length > MAX_CANCELLATION) return;
    const message = await readMessage(body, CANCELLED);
    const params = memberOf(message?.object, 'params')?.object;
    const id = message && rawOf(message, params, 'requestId');
    if (id !== undefined) this.#inFlight.get(keyOf(sessionId, id))?.();
  }

  /** A client is asked. @param id ours, raw JSON @returns what tells that it is not waited for any more */
  ask(sessionId: string, id: string, onAnswer: Waiting): () => void {
    const key = keyOf(sessionId, id);
    this.#asked.set(key, onAnswer);
    return () => void this.#asked.delete(key);
  }

  /** A client has answered. @returns false if that session was not asked this here */
  answer(sessionId: string, id: string, body: Buffer): boolean {
    const key = keyOf(sessionId, id);
    const onAnswer = this.#asked.get(key);
    this.#asked.delete(key);
    onAnswer?.(body);
    return onAnswer !== undefined;
  }
}

function keyOf(sessionId: string, id: string): string {
  return `${sessionId} ${id}`;
}
