import { type EventChanges, EventRewriter } from '../../mcp/aggregate/event-rewriter.ts';
import { ResponseMatcher } from '../../mcp/client/response-reader.ts';
import { MAX_AT_ONCE } from '../../mcp/json/parse.ts';
import { eventOf, type RpcRefusal, responseTo } from '../../mcp/server/reply.ts';

export interface PassedEventsOptions {
  /** The id of the request, as raw JSON. */
  readonly id: string;
  /** Changes of ids in the events; undefined where ids stay. */
  readonly changes: EventChanges | undefined;
  /** A client of the legacy era goes on with a stream that has ended after an event with an id. */
  readonly isResumable: boolean;
}

const LINE_END = /\r\n|\n|\r/;

/** Of an id that is not empty. */
const ID_LINE = /(?:^|[\r\n])id: ?[^\r\n]/;

/** The events of a stream that answers one request, as the client gets them. Without the answer it does not just end. */
export class PassedEvents {
  readonly #options: PassedEventsOptions;
  readonly #response: ResponseMatcher;
  readonly #events: EventRewriter;
  #isAnswered = false;
  #hasEventId = false;

  constructor(options: PassedEventsOptions) {
    this.#options = options;
    this.#response = new ResponseMatcher(options.id);
    this.#events = new EventRewriter(options.changes);
  }

  /** @returns the bytes for the client, if there are any now */
  feed(part: Buffer): Buffer | undefined {
    const wasWithinLong = this.#events.isWithinLong;
    const ready = this.#events.feed(part);
    // What is too long to be looked into is taken for the answer.
    if (wasWithinLong && !this.#events.isWithinLong) this.#isAnswered = true;
    for (const event of ready) this.#look(event);
    return ready.length <= 1 ? ready[0] : Buffer.concat(ready);
  }

  /** @param errorOf for a client that still waits for the answer @returns the last bytes for the client */
  end(errorOf: () => RpcRefusal | undefined): Buffer | string {
    const { id, isResumable } = this.#options;
    const { isWithinLong } = this.#events;
    const rest = this.#events.end();
    const error = this.#isAnswered ? undefined : errorOf();
    if (error === undefined) return rest;
    if (isResumable && this.#hasEventId) return '';
    return `${isWithinLong ? '\n\n' : ''}${eventOf(responseTo(id, { error }))}`;
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
