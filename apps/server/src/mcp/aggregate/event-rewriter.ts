import { readEnvelope } from '../envelope/read-envelope.ts';
import type { Span } from '../json/node.ts';
import { memberOf, placeOf } from '../translation/members.ts';
import { MessageReader } from '../translation/message-reader.ts';
import { replaced } from './replaced.ts';

/** Bytes of an event that is looked into. Longer ones pass as they are. */
const MAX_EVENT = 1024 * 1024;

const [LF, CR] = Buffer.from('\n\r');
const METHOD = '"method"';
const ID_LINE = /(?:^|[\r\n])id:/;
const DATA = 'data:';
const NOTHING = Buffer.alloc(0);

/** What is changed in the events of one integration (WHATWG HTML section 9.2). */
export interface EventChanges {
  /** The id of an event as the client knows it. */
  eventId(id: string): string;
  /** The id of a request of the server, or its token for progress, as the client knows it; raw JSON. */
  requestId(id: string): string;
}

/** Changes the ids in an event stream. Everything else stays, byte for byte. */
export class EventRewriter {
  readonly #changes: EventChanges | undefined;
  #event: Buffer[] = [];
  #size = 0;
  /** Of the line that has not ended. */
  #lineLength = 0;
  #endsWithCr = false;
  /** The event that has not ended is too long to be looked into. */
  #isPassing = false;

  /** @param changes undefined where events are only separated */
  constructor(changes: EventChanges | undefined) {
    this.#changes = changes;
  }

  /** A part of the event that has not ended has been returned. */
  get isWithinLong(): boolean {
    return this.#isPassing;
  }

  /** @returns what can be sent of it: whole events, or a part of one that is too long */
  feed(chunk: Buffer): Buffer[] {
    const ready: Buffer[] = [];
    let from = 0;
    let lineStart = -this.#lineLength;
    let isAfterCr = this.#endsWithCr;
    for (let i = 0; i < chunk.length; i += 1) {
      const byte = chunk[i];
      if (byte !== LF && byte !== CR) {
        isAfterCr = false;
        continue;
      }
      const isBlank = i === lineStart && !(byte === LF && isAfterCr);
      isAfterCr = byte === CR;
      lineStart = i + 1;
      if (!isBlank) continue;
      ready.push(this.#take(chunk.subarray(from, i + 1)));
      from = i + 1;
    }
    this.#lineLength = chunk.length - lineStart;
    this.#endsWithCr = isAfterCr;
    this.#hold(chunk.subarray(from), ready);
    return ready;
  }

  /** What is left when the stream ends. */
  end(): Buffer {
    const rest = this.#event.length === 0 ? NOTHING : Buffer.concat(this.#event);
    this.#event = [];
    return rest;
  }

  #take(last: Buffer): Buffer {
    const held = this.#event;
    const isPassing = this.#isPassing;
    this.#event = [];
    this.#size = 0;
    this.#isPassing = false;
    const event = held.length === 0 ? last : Buffer.concat([...held, last]);
    const changes = this.#changes;
    return isPassing || changes === undefined ? event : rewritten(event, changes);
  }

  #hold(rest: Buffer, ready: Buffer[]): void {
    if (rest.length === 0) return;
    this.#size += rest.length;
    this.#event.push(rest);
    if (!this.#isPassing && this.#size <= MAX_EVENT) return;
    this.#isPassing = true;
    ready.push(...this.#event);
    this.#event = [];
  }
}

/** What names a request of the server. */
const REQUEST = placeOf(['id', 'method'], {
  params: placeOf([], { _meta: placeOf(['progressToken']) }),
});

/** The id lines of an event have another id, and so has a request in its data, with its token for progress. */
function rewritten(event: Buffer, changes: EventChanges): Buffer {
  const text = event.toString('latin1');
  const mayHaveRequest = text.includes(METHOD);
  if (!mayHaveRequest && !ID_LINE.test(text)) return event;
  const lines = linesOf(event);
  const names = mayHaveRequest ? namesIn(lines) : [];
  return Buffer.concat(
    lines.map((line, index) => {
      if (isField(line, 'id:')) return withId(line, changes);
      // From the end, so that the places of the others stay.
      return names
        .filter((name) => name.line === index)
        .sort((a, b) => b.at.start - a.at.start)
        .reduce((text, { at, raw }) => replaced(text, at, changes.requestId(raw)), line);
    }),
  );
}

function isField(line: Buffer, name: string): boolean {
  return line.toString('latin1', 0, name.length) === name;
}

/** The method of the notification in an event; undefined for another message. */
export function notificationIn(event: Buffer): string | undefined {
  const parts = dataOf(linesOf(event));
  const envelope = readEnvelope(Buffer.concat(parts.map(({ data }) => data)));
  if (envelope.kind !== 'message' || envelope.message.id !== undefined) return undefined;
  return envelope.message.method;
}

/** The lines of data of an event, of which a message may take several: they end between tokens. */
function dataOf(lines: readonly Buffer[]) {
  const parts: { readonly line: number; readonly start: number; readonly data: Buffer }[] = [];
  let size = 0;
  lines.forEach((line, index) => {
    if (!isField(line, DATA)) return;
    const data = line.subarray(DATA.length);
    parts.push({ line: index, start: size, data });
    size += data.length;
  });
  return parts;
}

/** What names a request in the data of an event, and where it is in its line. */
interface NameInLine {
  readonly line: number;
  readonly at: Span;
  readonly raw: string;
}

/** The id and the token of a request. */
function namesIn(lines: readonly Buffer[]): readonly NameInLine[] {
  const parts = dataOf(lines);
  const reader = new MessageReader(REQUEST);
  for (const { data } of parts) reader.feed(data);
  const message = reader.end();
  const id = memberOf(message?.object, 'id')?.value;
  if (message === undefined || id === undefined || !memberOf(message.object, 'method')) return [];
  const meta = memberOf(memberOf(message.object, 'params')?.object, '_meta')?.object;
  return [id, memberOf(meta, 'progressToken')?.value].flatMap((at) => {
    const part = at && parts.findLast(({ start }) => start <= at.start);
    if (at === undefined || part === undefined) return [];
    const moved = DATA.length - part.start;
    const raw = message.bytes.toString('utf8', at.start, at.end);
    return [{ line: part.line, at: { start: at.start + moved, end: at.end + moved }, raw }];
  });
}

/** Each with what ends it. */
function linesOf(event: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let i = 0; i < event.length; i += 1) {
    const isEnd = event[i] === LF || (event[i] === CR && event[i + 1] !== LF);
    if (!isEnd) continue;
    lines.push(event.subarray(start, i + 1));
    start = i + 1;
  }
  if (start < event.length) lines.push(event.subarray(start));
  return lines;
}

function withId(line: Buffer, changes: EventChanges): Buffer {
  const [, id = '', end = ''] = /^id: ?([^\r\n]*)(\r?\n|\r)?$/.exec(line.toString()) ?? [];
  return Buffer.from(`id: ${changes.eventId(id)}${end}`);
}
