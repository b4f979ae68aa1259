import type { Counts } from '../limits/call-limits.ts';
import type { Envelope, Message } from '../mcp/envelope/message.ts';

/** A body that has been read. */
type Readable = Exclude<Envelope, { kind: 'unreadable' }>;

/** A `subscriptions/listen` is the stream of the modern era. It lasts, as a GET does, which is no request either. */
const STREAM = 'subscriptions/listen';

/** The first byte of an object. */
const [OPEN_BRACE] = Buffer.from('{');

/** Of a short body that two parsers may read differently: what is no batch has one message at most. */
export function isOneMessage(body: Buffer): boolean {
  return body[0] === OPEN_BRACE;
}

/** Each message counts in its minute. Only a request is in progress: what is said of one must get through. */
export function countsOf(read: Readable): Counts {
  const counted = messagesOf(read).filter(({ method }) => method !== STREAM);
  return { perMinute: counted.length, concurrent: counted.filter(isRequest).length };
}

/** The raw ids of its messages that await a response. */
export function requestIdsOf(read: Readable): readonly string[] {
  return messagesOf(read)
    .filter(isRequest)
    .map(({ id = 'null' }) => id);
}

function messagesOf(read: Readable): readonly Message[] {
  return read.kind === 'batch' ? read.messages : [read.message];
}

function isRequest({ id, method }: Message): boolean {
  return id !== undefined && method !== undefined;
}
