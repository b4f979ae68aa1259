import type { ServerResponse } from 'node:http';
import { type EventChanges, EventRewriter } from '../../mcp/aggregate/event-rewriter.ts';
import { ResponseMatcher } from '../../mcp/client/response-reader.ts';
import { MAX_AT_ONCE } from '../../mcp/json/parse.ts';
import { eventOf, type RpcRefusal, responseTo } from '../../mcp/server/reply.ts';

export interface PassedEventsOptions {
  /** Of the request, as raw JSON. */
  readonly id: string;
  /** What is changed in the events; undefined where nothing is. */
  readonly changes: EventChanges | undefined;
  /** A client of the legacy era goes on with a stream that has ended after an event with an id. */
  readonly isResumable: boolean;
}

const LINE_END = /\r\n|\n|\r/;

/** Of an id that is not empty. */
const ID_LINE = /(?:^|[\r\n])id: ?[^\r\n]/;

/** The event stream that answers one request, on its way to the client. Without the answer it does not just end. */
export class PassedEvents {
  readonly #res: ServerResponse;
  readonly #options: PassedEventsOptions;
  readonly #response: ResponseMatcher;
  readonly #events: EventRewriter;
  #isAnswered = false;
  #hasEventId = false;

  constructor(res: ServerResponse, options: PassedEventsOptions) {
    this.#res = res;
    this.#options = options;
    this.#response = new ResponseMatcher(options.id);
    this.#events = new EventRewriter(options.changes);
  }

  /** Returns false if the client has not taken what was sent before. */
  write(part: Buffer): boolean {
    const wasWithinLong = this.#events.isWithinLong;
    const ready = this.#events.feed(part);
    // What is too long to be looked into is taken for the answer.
    if (wasWithinLong && !this.#events.isWithinLong) this.#isAnswered = true;
    for (const event of ready) this.#look(event);
    const [first] = ready;
    if (first === undefined) return true;
    return this.#res.write(ready.length === 1 ? first : Buffer.concat(ready));
  }

  /** @param errorOf for a client that still waits for the answer */
  end(errorOf: () => RpcRefusal | undefined): void {
    const { id, isResumable } = this.#options;
    const { isWithinLong } = this.#events;
    const rest = this.#events.end();
    const error = this.#isAnswered ? undefined : errorOf();
    if (error === undefined && rest.length > 0) this.#res.end(rest);
    else if (error === undefined || (isResumable && this.#hasEventId)) this.#res.end();
    else this.#res.end(`${isWithinLong ? '\n\n' : ''}${eventOf(responseTo(id, { error }))}`);
  }

  #look(event: Buffer): void {
    if (this.#isAnswered) return;
    if (event.length > MAX_AT_ONCE) {
      this.#isAnswered = true;
      return;
    }
    const text = event.toString('latin1');
    this.#hasEventId ||= ID_LINE.test(text);
    this.#isAnswered = this.#response.match(dataOf(text)) !== undefined;
  }
}

function dataOf(text: string): string {
  const lines = text.includes('\r') ? text.split(LINE_END) : text.split('\n');
  let data: string | undefined;
  for (const line of lines) {
    if (!line.startsWith('data:')) continue;
    data = data === undefined ? line.slice(5) : `${data}\n${line.slice(5)}`;
  }
  return data ?? '';
}
