import { setImmediate } from 'node:timers/promises';
import type { Message } from '../envelope/message.ts';
import { envelopeOf } from '../envelope/read-envelope.ts';
import type { Span } from '../json/node.ts';
import { MAX_AT_ONCE } from '../json/parse.ts';
import { JsonScanner } from '../json/scanner.ts';
import { type WrappedCall, WrappedCallReader } from './wrapped-call.ts';

const NO_ARGUMENTS = Buffer.from('{}');

/** A call, and the body that says nothing else. */
export interface UnwrappedCall {
  readonly message: Message;
  readonly body: Buffer;
  /** Its arguments, as they are in the body. */
  readonly given: Buffer;
}

/**
 * Makes an ordinary `tools/call` of a call of our tool that wraps one. Of the body only `params.name` and
 * `params.arguments` change: its id, `_meta` and whatever else the client sends stay byte for byte, as do the wrapped
 * arguments.
 *
 * @param nameAt where the body has the name of our tool
 * @returns a sentence where the call cannot be read
 */
export async function unwrapCall(body: Buffer, nameAt: Span): Promise<UnwrappedCall | string> {
  const reader = new WrappedCallReader(body);
  const scanner = new JsonScanner(reader);
  for (let start = 0; start < body.length; start += MAX_AT_ONCE) {
    if (start > 0) await setImmediate();
    if (!scanner.feed(body.subarray(start, start + MAX_AT_ONCE))) break;
  }
  const { call } = reader;
  if (typeof call === 'string') return call;
  const given = call.arguments === undefined ? NO_ARGUMENTS : bytesAt(body, call.arguments);
  const unwrapped = bodyOf(body, nameAt, call, given);
  const envelope = await envelopeOf(unwrapped);
  if (envelope.kind === 'unreadable') return envelope.reason;
  if (envelope.kind === 'batch') return 'The call is a batch.';
  const { message } = envelope;
  return message.fault ?? { message, body: unwrapped, given };
}

function bodyOf(body: Buffer, nameAt: Span, call: WrappedCall, given: Buffer): Buffer {
  const name = bytesAt(body, call.name);
  const [first, second] = [
    { at: nameAt, bytes: name },
    { at: call.wrapper, bytes: given },
  ].sort((a, b) => a.at.start - b.at.start) as [Edit, Edit];
  return Buffer.concat([
    body.subarray(0, first.at.start),
    first.bytes,
    body.subarray(first.at.end, second.at.start),
    second.bytes,
    body.subarray(second.at.end),
  ]);
}

interface Edit {
  readonly at: Span;
  readonly bytes: Buffer;
}

function bytesAt(body: Buffer, { start, end }: Span): Buffer {
  return body.subarray(start, end);
}
