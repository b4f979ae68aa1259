import { isJsonObject } from '@gatehouse/contract';

/** Bytes of an answer that is parsed for its error. */
const MAX_ERROR = 64 * 1024;

/** The error of an answer in JSON-RPC. */
export interface AnsweredError {
  readonly code: number | undefined;
  /** A code of ours, in its data. */
  readonly ownCode: unknown;
}

/** Undefined for a result, and for what is no JSON. */
export function errorIn(message: Buffer): AnsweredError | undefined {
  if (message.length > MAX_ERROR) return undefined;
  const answer = parsed(message);
  const error = isJsonObject(answer) ? answer.error : undefined;
  if (!isJsonObject(error)) return undefined;
  const { code, data } = error;
  return {
    code: typeof code === 'number' ? code : undefined,
    ownCode: isJsonObject(data) ? data.code : undefined,
  };
}

function parsed(message: Buffer): unknown {
  try {
    return JSON.parse(message.toString());
  } catch {
    return undefined;
  }
}
