import { type EventChanges, withIds } from '../../mcp/aggregate/event-rewriter.ts';
import { ResponseMatcher } from '../../mcp/client/response-reader.ts';
import { MAX_AT_ONCE } from '../../mcp/json/parse.ts';
import { eventOf, type RpcRefusal, responseTo } from '../../mcp/server/reply.ts';
import { dataOf, EventReader, fieldOf, type StreamEvent } from '../../mcp/sse/event-reader.ts';

export interface PassedEventsOptions {
  /** The id of the request, as raw JSON. */
  readonly id: string;
  /** Changes of ids in the events; undefined where ids stay. */
  readonly changes: EventChanges | undefined;
  /** A client of the legacy era goes on with a stream that has ended after an event with an id. */
  readonly isResumable: boolean;
}

/** Bytes of an event that is looked into. Longer ones pass as they are. */
const MAX_EVENT = 1024 * 1024;

/** The events of a stream that answers one request, as the client gets them. Without the answer it does not just end. */
export class PassedEvents {
  readonly #options: PassedEventsOptions;
  readonly #response: ResponseMatcher;
  readonly #events = new EventReader(MAX_EVENT);
  #isAnswered = false;
  #hasEventId = false;

  constructor(options: PassedEventsOptions) {
    this.#options = options;
    this.#response = new ResponseMatcher(options.id);
  }

  /** @returns the bytes for the client, if there are any now */
  feed(part: Buffer): Buffer | undefined {
    const wasWithinLong = this.#events.isWithinLong;
    const events = this.#events.feed(part);
    // What is too long to be looked into is taken for the answer.
    if (wasWithinLong && !this.#events.isWithinLong) this.#isAnswered = true;
    const passed = events.map((event) => this.#pass(event));
    return passed.length <= 1 ? passed[0] : Buffer.concat(passed);
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

  #pass(event: StreamEvent): Buffer {
    const { changes } = this.#options;
    if (!this.#isAnswered && event.isWhole) this.#look(event);
    return changes === undefined || !event.isWhole ? event.bytes : withIds(event, changes);
  }

  #look(event: StreamEvent): void {
    if (event.bytes.length > MAX_AT_ONCE) {
      this.#isAnswered = true;
      return;
    }
    this.#hasEventId ||= Boolean(fieldOf(event, 'id'));
    const data = dataOf(event);
    if (data !== undefined)
      this.#isAnswered = this.#response.match(data.toString('latin1')) !== undefined;
  }
}
