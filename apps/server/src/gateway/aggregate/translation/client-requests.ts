import { memberOf, placeOf } from '../../../mcp/translation/members.ts';
import { rawOf, readMessage } from '../../../mcp/translation/message-reader.ts';

const CANCELLED = placeOf([], { params: placeOf(['requestId']) });

/** Bytes of a cancellation. */
const MAX_CANCELLATION = 64 * 1024;

/** Requests of legacy clients that are in flight on this node without a session upstream: they can be cancelled. */
export class ClientRequests {
  readonly #inFlight = new Map<string, () => void>();

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
}

function keyOf(sessionId: string, id: string): string {
  return `${sessionId} ${id}`;
}
