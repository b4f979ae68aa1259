import { type EventChanges, mayHoldRequest, withIds } from '../../mcp/aggregate/event-rewriter.ts';
import { eventOf, type RpcRefusal, responseTo } from '../../mcp/server/reply.ts';
import { EventReader, fieldOf, MAX_EVENT } from '../../mcp/sse/event-reader.ts';

/** The ends of events that every client sees. Others are taken for parts of events. */
const EVENT_END = /(?:\n\r?\n|\r\r)$/;

/**
 * The events of a stream that answers one request, as the client gets them. They have been judged on their way and come
 * whole, so that only those are read in which ids may change.
 */
export class PassedEvents {
  /** Undefined where ids stay: a modern client does not go on with a stream, and is asked nothing in it. */
  readonly #changes: EventChanges | undefined;
  #hasEventId = false;
  #last: Buffer | undefined;

  constructor(changes: EventChanges | undefined) {
    this.#changes = changes;
  }

  /** @param events whole ones, but for the last of the stream */
  pass(events: Buffer): Buffer {
    const changes = this.#changes;
    this.#last = events;
    return changes === undefined || !mayHoldIds(events) ? events : this.#withIds(events, changes);
  }

  /** The last event of a stream without a response. It is empty for a client that goes on with the stream. @param id raw JSON */
  error(id: string, error: RpcRefusal): string {
    if (this.#hasEventId) return '';
    const tail = this.#last?.toString('latin1', this.#last.length - 3) ?? '';
    return `${tail === '' || EVENT_END.test(tail) ? '' : '\n\n'}${eventOf(responseTo(id, { error }))}`;
  }

  #withIds(bytes: Buffer, changes: EventChanges): Buffer {
    const reader = new EventReader(MAX_EVENT);
    const passed = reader.feed(bytes).map((event) => {
      this.#hasEventId ||= Boolean(fieldOf(event, 'id'));
      return withIds(event, changes);
    });
    return Buffer.concat([...passed, reader.end()]);
  }
}

const ID_LINES = ['\nid', '\rid'];
const STARTS: ReadonlySet<number> = new Set(Buffer.from('i\uFEFF'));

/** Whether events hold ids, or a request of the server. */
function mayHoldIds(events: Buffer): boolean {
  return (
    STARTS.has(events[0] ?? 0) ||
    mayHoldRequest(events) ||
    ID_LINES.some((line) => events.includes(line))
  );
}
