import type { Envelope, Message } from '../mcp/envelope/message.ts';

/** A body that has been read. */
type Readable = Exclude<Envelope, { kind: 'unreadable' }>;

/** A `subscriptions/listen` is the stream of the modern era. It lasts, as a GET does, which is no request either. */
const STREAM = 'subscriptions/listen';

/** The first byte of an object. */
const [OPEN_BRACE] = Buffer.from('{');

/** Whether a body that two parsers may read differently has one request at most, whichever of them reads it. */
export function isNoBatch(body: Buffer): boolean {
  return body[0] === OPEN_BRACE;
}

/** How many of its messages limits count. */
export function countRequests(read: Readable): number {
  return requestsOf(read).filter(({ method }) => method !== STREAM).length;
}

/** The raw ids of its messages that await a response. */
export function requestIdsOf(read: Readable): readonly string[] {
  return requestsOf(read).map(({ id = 'null' }) => id);
}

function requestsOf(read: Readable): readonly Message[] {
  const messages = read.kind === 'batch' ? read.messages : [read.message];
  return messages.filter(({ id, method }) => id !== undefined && method !== undefined);
}
