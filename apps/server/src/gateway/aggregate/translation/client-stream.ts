import { eventOfBytes, type Reply, responseTo } from '../../../mcp/server/reply.ts';
import { EventWriter, KEEP_ALIVE } from '../../../mcp/sse/event-writer.ts';
import type { GatewayLimits } from '../../limits.ts';
import { beginStream, ownHeaders } from '../../response-head.ts';
import type { ClientCall } from '../client-call.ts';

/** What a client gets for one request: JSON, or an event stream once there is something to say before the answer. */
export class ClientStream {
  readonly #call: ClientCall;
  readonly #limits: Pick<GatewayLimits, 'keepAlive'>;
  /** Undefined before something is sent: then the HTTP status is not known to the client either. */
  #events: EventWriter | undefined;
  #isOver = false;

  constructor(call: ClientCall, limits: Pick<GatewayLimits, 'keepAlive'>) {
    this.#call = call;
    this.#limits = limits;
  }

  get isBegun(): boolean {
    return this.#events !== undefined;
  }

  /** Answered, or the client has gone away. */
  get isOver(): boolean {
    return this.#isOver || this.#call.response.isGone;
  }

  /** Sends a message before the answer. @param json one message */
  send(json: Buffer): void {
    if (!this.isOver) this.#begun().send(eventOfBytes(json));
  }

  /** Passes on that the upstream is still there. */
  sendComment(): void {
    if (!this.isOver) this.#begun().send(KEEP_ALIVE);
  }

  /** @param now by the clock of `performance` */
  keepAlive(now: number): void {
    if (!this.isOver) this.#events?.keepAlive(now);
  }

  /** Sends the answer. @param status where nothing has been sent */
  answer(json: Buffer, status = 200): void {
    if (this.isOver) return;
    const { response } = this.#call;
    if (this.isBegun) {
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
    this.#begun();
    this.#isOver = true;
    this.#call.response.end();
  }

  #begun(): EventWriter {
    if (this.#events !== undefined) return this.#events;
    beginStream(this.#call);
    const { keepAlive } = this.#limits;
    this.#events = new EventWriter(this.#call.response, { keepAlive, isOwn: true, mayBegin: true });
    return this.#events;
  }
}
