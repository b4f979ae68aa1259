import { type Edit, edit, replacement } from '../json/edit.ts';
import { objectOf } from '../json/shape.ts';
import { dataOf, placeOfData, type StreamEvent } from '../sse/event-reader.ts';
import { MessageReader } from '../translation/message-reader.ts';

/** The key, and the beginning of the only escape that a letter of it may have. */
const MARKS_OF_REQUESTS = ['"method"', '\\u'];

/** What is changed in the events of one integration. */
export interface EventChanges {
  /** The id of an event as the client knows it. */
  eventId(id: string): string;
  /** The id of a request of the server, or its token for progress, as the client knows it; raw JSON. */
  requestId(id: string): string;
}

/** What names a request of the server. */
const REQUEST = objectOf(['id', 'method'], {
  params: objectOf([], { _meta: objectOf(['progressToken']) }),
});

/**
 * An event in which its own id is another one, and those of a request in its data, with its token for progress. Everything
 * else stays, byte for byte.
 */
export function withIds(event: StreamEvent, changes: EventChanges): Buffer {
  const { start, bytes, lines } = event;
  const edits = lines
    .filter(({ kind }) => kind === 'id')
    .map((line) => {
      const id = bytes.toString('utf8', line.value - start, line.valueEnd - start);
      const at = { start: line.start - start, end: line.valueEnd - start };
      return replacement(at, `id: ${changes.eventId(id)}`);
    });
  if (mayHoldRequest(bytes)) edits.push(...editsOfRequest(event, changes));
  return edit(bytes, edits);
}

/** Whether there may be a request in some bytes, however its keys are written. */
export function mayHoldRequest(bytes: Buffer): boolean {
  return MARKS_OF_REQUESTS.some((mark) => bytes.includes(mark));
}

function editsOfRequest(event: StreamEvent, changes: EventChanges): Edit[] {
  const data = dataOf(event);
  if (data === undefined) return [];
  const reader = new MessageReader(REQUEST);
  reader.feed(data);
  const message = reader.end();
  const id = message?.object.member('id');
  if (message === undefined || id === undefined || !message.object.member('method')) return [];
  const meta = message.object.member('params')?.member('_meta');
  return [id, meta?.member('progressToken')].flatMap((at) => {
    if (at === undefined) return [];
    const start = placeOfData(event, at.start);
    const raw = at.raw(message.bytes);
    return replacement({ start, end: start + at.end - at.start }, changes.requestId(raw));
  });
}
