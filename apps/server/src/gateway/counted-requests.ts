import type { Envelope, Message } from '../mcp/envelope/message.ts';

/** A body that has been read. */
type Readable = Exclude<Envelope, { kind: 'unreadable' }>;

/** The first byte of an object. */
const [OPEN_BRACE] = Buffer.from('{');

/** May begin the method of a message that does not count, or be a key of a response. */
const MAY_NOT_COUNT = /"(?:notifications|subscriptions|result"|error")/;

/**
 * Whether a body is a single request at first sight, as nearly all are. Reading it takes longer than everything else that
 * a limit needs. What is no batch has one request at most, whichever parser reads it.
 */
export function isOneRequest(body: Buffer): boolean {
  if (body[0] !== OPEN_BRACE) return false;
  const text = body.toString('latin1');
  return text.includes('"method"') && text.includes('"id"') && !MAY_NOT_COUNT.test(text);
}

/** A `subscriptions/listen` is the stream of the modern era. It lasts, as a GET does, which is no request either. */
const STREAM = 'subscriptions/listen';

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
