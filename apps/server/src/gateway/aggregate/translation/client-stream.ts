import { eventOfBytes, type Reply, responseTo } from '../../../mcp/server/reply.ts';
import { KEEP_ALIVE } from '../../../mcp/sse/event-writer.ts';
import { beginStream, ownHeaders } from '../../response-head.ts';
import type { ClientCall } from '../client-call.ts';

/** What a client gets for one request: JSON, or an event stream once there is something to say before the answer. */
export class ClientStream {
  readonly #call: ClientCall;
  #isBegun = false;
  #isOver = false;

  constructor(call: ClientCall) {
    this.#call = call;
  }

  /** Whether something has been sent, so that the HTTP status is known to the client. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** Answered, or the client has gone away. */
  get isOver(): boolean {
    return this.#isOver || this.#call.response.isGone;
  }

  /** Sends a message before the answer. @param json one message */
  send(json: Buffer): void {
    if (this.isOver) return;
    this.#begin();
    this.#call.response.write(eventOfBytes(json));
  }

  keepAlive(): void {
    if (this.isOver) return;
    this.#begin();
    this.#call.response.write(KEEP_ALIVE);
  }

  /** Sends the answer. @param status where nothing has been sent */
  answer(json: Buffer, status = 200): void {
    if (this.isOver) return;
    const { response } = this.#call;
    if (this.#isBegun) {
      this.send(json);
      this.#isOver = true;
      response.end();
      return;
    }
    this.#isOver = true;
    const about = ['Content-Type', 'application/json', 'Content-Length', String(json.length)];
    response.begin(status, [...ownHeaders(this.#call), ...about]);
    response.end(json);
  }

  /** @param id raw JSON */
  reply(id: string, reply: Reply, status = 200): void {
    this.answer(Buffer.from(responseTo(id, reply)), status);
  }

  /** Ends without an answer, as 2025-11-25 wants for a request that its client has cancelled. */
  close(): void {
    if (this.isOver) return;
    this.#begin();
    this.#isOver = true;
    this.#call.response.end();
  }

  #begin(): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    beginStream(this.#call);
  }
}
