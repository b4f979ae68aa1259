import { type EventChanges, EventRewriter } from '../../mcp/aggregate/event-rewriter.ts';
import { parseResponse, type RpcId } from '../../mcp/client/response-reader.ts';
import { MAX_AT_ONCE } from '../../mcp/envelope/read-envelope.ts';
import { eventOf, type RpcRefusal, responseTo } from '../../mcp/server/reply.ts';
import type { ClientCallResponse } from './client-call.ts';

export interface PassedEventsOptions {
  /** Of the request, as raw JSON. */
  readonly id: string;
  /** What is changed in the events; undefined where nothing is. */
  readonly changes: EventChanges | undefined;
  /** A client of the legacy era goes on with a stream that has ended after an event with an id. */
  readonly isResumable: boolean;
}

const LINE_END = /\r\n|\n|\r/;

/** The event stream that answers one request, on its way to the client. Without the answer it does not just end. */
export class PassedEvents {
  readonly #res: ClientCallResponse;
  readonly #options: PassedEventsOptions;
  readonly #id: RpcId;
  readonly #events: EventRewriter;
  #isAnswered = false;
  #hasEventId = false;

  constructor(res: ClientCallResponse, options: PassedEventsOptions) {
    this.#res = res;
    this.#options = options;
    this.#id = JSON.parse(options.id);
    this.#events = new EventRewriter(options.changes);
  }

  /** Returns false if the client has not taken what was sent before. */
  write(part: Buffer): boolean {
    const wasWithinLong = this.#events.isWithinLong;
    const ready = this.#events.feed(part);
    // What is too long to be looked into is taken for the answer.
    if (wasWithinLong && !this.#events.isWithinLong) this.#isAnswered = true;
    for (const event of ready) this.#look(event);
    return ready.length === 0 || this.#res.write(Buffer.concat(ready));
  }

  /** @param error for a client that still waits for the answer */
  end(error: RpcRefusal | undefined): void {
    const { id, isResumable } = this.#options;
    const { isWithinLong } = this.#events;
    const rest = this.#events.end();
    if (this.#isAnswered || error === undefined) this.#res.end(rest);
    else if (isResumable && this.#hasEventId) this.#res.end();
    else this.#res.end(`${isWithinLong ? '\n\n' : ''}${eventOf(responseTo(id, { error }))}`);
  }

  #look(event: Buffer): void {
    if (this.#isAnswered) return;
    if (event.length > MAX_AT_ONCE) {
      this.#isAnswered = true;
      return;
    }
    const lines = event.toString().split(LINE_END);
    this.#hasEventId ||= lines.some((line) => /^id: ?./.test(line));
    const data = lines.flatMap((line) => (line.startsWith('data:') ? line.slice(5) : []));
    this.#isAnswered = parseResponse(data.join('\n'), this.#id) !== undefined;
  }
}
