import { type JsonNode, OBJECT } from './json/node.ts';
import { objectOf, type Shape } from './json/shape.ts';

/** Bytes of a method, an id or a token. */
export const MAX_VALUE = 16 * 1024;

const METHOD_LENGTH = 200;

/** The members that tell by their values which request a message belongs to. */
export const HEAD_VALUES: ReadonlySet<string> = new Set([
  'jsonrpc',
  'id',
  'method',
  'progressToken',
]);

const PARAMS = objectOf(['progressToken']);
const ERROR = objectOf(['code']);
const NUMBER_STARTS: ReadonlySet<number> = new Set(Buffer.from('-0123456789'));
const NOTHING = Buffer.alloc(0);

/** A message of a server, as far as it says which request it belongs to. */
export interface MessageHead {
  /** Raw JSON, as is the token; empty for an object or array, which is no id. */
  readonly id: string | undefined;
  /** Null if it is no string. */
  readonly method: string | null | undefined;
  readonly progressToken: string | undefined;
  readonly hasResult: boolean;
  readonly hasError: boolean;
  /** A response as every client reads it: of JSON-RPC 2.0, with an object for its result or an error with a code. */
  readonly isResponse: boolean;
  /** Two clients may find different values. */
  readonly isAmbiguous: boolean;
}

/** @param result the shape of its result */
export function messageOf(result: Shape): Shape {
  return objectOf(['jsonrpc', 'id', 'method'], { params: PARAMS, result, error: ERROR });
}

/** @param message with copies of its {@link HEAD_VALUES} of up to {@link MAX_VALUE} */
export function headOf(message: JsonNode): MessageHead {
  const params = message.objectAt('params');
  const method = message.member('method')?.string(NOTHING, METHOD_LENGTH);
  const hasResult = message.member('result') !== undefined;
  const hasError = message.member('error') !== undefined;
  const isJsonRpc = message.member('jsonrpc')?.string(NOTHING, METHOD_LENGTH) === '2.0';
  const code = message.objectAt('error')?.member('code');
  const isOdd = message.kind !== OBJECT || (method !== undefined && (hasResult || hasError));
  return {
    id: message.member('id')?.raw(NOTHING),
    method,
    progressToken: params?.member('progressToken')?.raw(NOTHING),
    hasResult,
    hasError,
    isResponse:
      isJsonRpc && (message.objectAt('result') !== undefined || NUMBER_STARTS.has(code?.kind ?? 0)),
    isAmbiguous: isOdd || hasUnclear(message) || (params !== undefined && hasUnclear(params)),
  };
}

function hasUnclear(object: JsonNode): boolean {
  for (const member of object.members) {
    const { name, isLookAlike, start, end } = member;
    if (name === 'jsonrpc') continue;
    const isLong = end - start > MAX_VALUE && HEAD_VALUES.has(name);
    if (isLong || isLookAlike || object.member(name) !== member) return true;
  }
  return false;
}
