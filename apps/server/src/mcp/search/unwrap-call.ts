import type { Message } from '../envelope/message.ts';
import { envelopeOf } from '../envelope/read-envelope.ts';
import { edit } from '../json/edit.ts';
import { type JsonNode, OBJECT, type Span } from '../json/node.ts';
import { parse } from '../json/parse.ts';
import { objectOf } from '../json/shape.ts';

const NO_ARGUMENTS = Buffer.from('{}');

/** The call that wraps another one: the wrapped call is its arguments. */
const WRAPPING = objectOf([], {
  params: objectOf([], { arguments: objectOf(['name', 'arguments']) }),
});

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
  const call = wrappedCallIn(await parse(body, WRAPPING));
  if (typeof call === 'string') return call;
  const given = call.arguments === undefined ? NO_ARGUMENTS : bytesAt(body, call.arguments);
  const unwrapped = edit(body, [
    { start: nameAt.start, end: nameAt.end, replacement: bytesAt(body, call.name) },
    { start: call.wrapper.start, end: call.wrapper.end, replacement: given },
  ]);
  const envelope = await envelopeOf(unwrapped);
  if (envelope.kind === 'unreadable') return envelope.reason;
  if (envelope.kind === 'batch') return 'The call is a batch.';
  const { message } = envelope;
  return message.fault ?? { message, body: unwrapped, given };
}

interface WrappedCall {
  /** The arguments of the wrapping call. */
  readonly wrapper: Span;
  /** A value of any kind. */
  readonly name: Span;
  /** An object; undefined where the call has no arguments. */
  readonly arguments: Span | undefined;
}

/** @returns a sentence if there is no such call, or if two parsers may read it differently */
function wrappedCallIn(root: JsonNode | undefined): WrappedCall | string {
  const params = root?.objectAt('params');
  const wrapper = params?.objectAt('arguments');
  for (const object of [root, params, wrapper]) {
    const odd = object?.members.find((member) => object.member(member.name) !== member);
    if (odd !== undefined) return `The key "${odd.name}" is repeated, or misspelt.`;
  }
  if (wrapper === undefined) return 'The arguments must be an object.';
  const given = wrapper.member('arguments');
  if (given !== undefined && given.kind !== OBJECT) return 'arguments must be an object.';
  const name = wrapper.member('name');
  if (name === undefined) return 'name is missing: it is the name of a tool.';
  return { wrapper, name, arguments: given };
}

function bytesAt(body: Buffer, { start, end }: Span): Buffer {
  return body.subarray(start, end);
}
