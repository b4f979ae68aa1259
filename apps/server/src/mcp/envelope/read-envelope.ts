import { isUtf8 } from 'node:buffer';
import type { JsonNode } from '../json/node.ts';
import { MAX_AT_ONCE, parse, parseAtOnce } from '../json/parse.ts';
import type { Envelope } from './message.ts';
import { BODY, envelopeIn, unreadable } from './messages.ts';

const [MARK_1, MARK_2, MARK_3] = Buffer.from('\uFEFF');

export const NO_JSON = unreadable('The body is not JSON.');
export const NO_UTF8 = unreadable('The body is not UTF-8.');
const HAS_MARK = unreadable('The body begins with a byte order mark.');

/**
 * Reads what rules about names need from the messages of a body, and refuses a body that two parsers may
 * read differently: a repeated or misspelt key in the places that count, and encodings other than UTF-8.
 * The body may have up to {@link MAX_AT_ONCE}; a longer one is read by {@link readLongEnvelope}.
 */
export function readEnvelope(body: Buffer): Envelope {
  return encodingFault(body) ?? envelopeOfRoot(parseAtOnce(body, BODY), body);
}

/** The same for a body of any length, with pauses in which other calls go on. */
export async function readLongEnvelope(body: Buffer): Promise<Envelope> {
  return encodingFault(body) ?? envelopeOfRoot(await parse(body, BODY), body);
}

/** Synchronous for a body that is read without a pause. */
export function envelopeOf(body: Buffer): Envelope | Promise<Envelope> {
  return body.length <= MAX_AT_ONCE ? readEnvelope(body) : readLongEnvelope(body);
}

function envelopeOfRoot(root: JsonNode | undefined, body: Buffer): Envelope {
  return root === undefined ? NO_JSON : envelopeIn(root, body);
}

function encodingFault(body: Buffer): Envelope | undefined {
  if (!isUtf8(body)) return NO_UTF8;
  return body[0] === MARK_1 && body[1] === MARK_2 && body[2] === MARK_3 ? HAS_MARK : undefined;
}
