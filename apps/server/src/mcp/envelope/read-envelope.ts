import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { JsonScanner } from '../json/scanner.ts';
import type { Envelope, Unreadable } from './message.ts';
import { EnvelopeReader } from './reader.ts';

/** Bytes of the longest body that is read without a pause. */
export const MAX_AT_ONCE = 256 * 1024;

const [MARK_1, MARK_2, MARK_3] = Buffer.from('\uFEFF');

export const NO_JSON = unreadable('The body is not JSON.');
export const NO_UTF8 = unreadable('The body is not UTF-8.');

/**
 * Reads what rules about names need from the messages of a body, and refuses a body that two parsers may
 * read differently: a repeated or misspelt key in the places that count, and encodings other than UTF-8.
 * The body may have up to {@link MAX_AT_ONCE}; a longer one is read by {@link readLongEnvelope}.
 */
export function readEnvelope(body: Buffer): Envelope {
  const fault = encodingFault(body);
  if (fault !== undefined) return fault;
  const reader = new EnvelopeReader();
  reader.look(body);
  const scanner = new JsonScanner(reader);
  return scanner.feed(body) && scanner.end() ? reader.envelope : NO_JSON;
}

/** The same for a body of any length, with pauses in which other calls go on. */
export async function readLongEnvelope(body: Buffer): Promise<Envelope> {
  const fault = encodingFault(body);
  if (fault !== undefined) return fault;
  const reader = new EnvelopeReader();
  reader.look(body);
  const scanner = new JsonScanner(reader);
  for (let start = 0; start < body.length; start += MAX_AT_ONCE) {
    await setImmediate();
    if (!scanner.feed(body.subarray(start, start + MAX_AT_ONCE))) return NO_JSON;
  }
  return scanner.end() ? reader.envelope : NO_JSON;
}

/** Synchronous for a body that is read without a pause. */
export function envelopeOf(body: Buffer): Envelope | Promise<Envelope> {
  return body.length <= MAX_AT_ONCE ? readEnvelope(body) : readLongEnvelope(body);
}

function encodingFault(body: Buffer): Envelope | undefined {
  if (!isUtf8(body)) return NO_UTF8;
  const hasMark = body[0] === MARK_1 && body[1] === MARK_2 && body[2] === MARK_3;
  return hasMark ? unreadable('The body begins with a byte order mark.') : undefined;
}

/** Nobody can say what a parser finds in such a body. */
export function unreadable(reason: string): Unreadable {
  return { kind: 'unreadable', reason, mayCall: true };
}
