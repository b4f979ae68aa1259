import type { Envelope, Message } from '../mcp/envelope/message.ts';

/** A body that has been read. */
type Readable = Exclude<Envelope, { kind: 'unreadable' }>;

/** A `subscriptions/listen` is the stream of the modern era. It lasts, as a GET does, which is no request either. */
const STREAM = 'subscriptions/listen';

/** The first byte of an object. */
const [OPEN_BRACE] = Buffer.from('{');

/** May begin the method of a message that does not count, or be a key of a response. */
const MAY_NOT_COUNT = /"(?:notifications|subscriptions|result"|error")/;

/**
 * Whether a short body that two parsers may read differently is a single request to each of them. What is no batch has one
 * request at most.
 */
export function isOneRequest(body: Buffer): boolean {
  if (body[0] !== OPEN_BRACE) return false;
  const text = body.toString('latin1');
  return text.includes('"method"') && text.includes('"id"') && !MAY_NOT_COUNT.test(text);
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
