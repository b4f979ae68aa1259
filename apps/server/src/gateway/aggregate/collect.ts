import { isJsonObject } from '@gatehouse/contract';
import { createRpcResponseReader, type RpcId } from '../../mcp/client/response-reader.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { brokenOff } from '../problems.ts';
import { headerOf, mediaOf, type UpstreamAnswer, type UpstreamFailure } from './upstream-answer.ts';
import type { UpstreamCall } from './upstream-calls.ts';

/** An integration's answer to a request that we made: the message in it. */
export type Collected =
  | { readonly kind: 'message'; readonly status: number; readonly message: Buffer }
  | UpstreamFailure;

/** Bytes of a message that is collected. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Reads the answer of a call to its end, or to the response on an event stream, which may go on. @param id of the request */
export async function collect(call: UpstreamCall, id: RpcId): Promise<Collected> {
  const answer = await call.answer;
  if (answer.kind !== 'answer') return answer;
  const { status, body } = answer;
  const events = mediaOf(answer) === 'events' ? createRpcResponseReader(id) : undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_BYTES) {
      call.abort();
      return { kind: 'problem', problem: tooLarge() };
    }
    if (events === undefined) chunks.push(chunk);
    else if (events.read(chunk, { 'content-type': 'text/event-stream' })) break;
  }
  const isAnswered = events?.response() !== undefined;
  if (body.failure !== undefined && !isAnswered) return { kind: 'problem', problem: body.failure };
  if (!mayAnswer(answer)) {
    return { kind: 'status', status, retryAfter: headerOf(answer, 'retry-after') };
  }
  if (events === undefined) return { kind: 'message', status, message: Buffer.concat(chunks) };
  if (!isAnswered) return { kind: 'problem', problem: brokenOff() };
  return { kind: 'message', status, message: Buffer.from(events.text()) };
}

function mayAnswer(answer: UpstreamAnswer): boolean {
  const { status } = answer;
  if (status === 401 || status < 200) return false;
  return status < 300 || (status < 500 && mediaOf(answer) === 'json');
}

function tooLarge(): ProblemError {
  return new ProblemError(
    'upstream_response_too_large',
    'The response of the integration is larger than a list may be.',
  );
}

/** Bytes of an answer that is parsed for its error. */
const MAX_ERROR = 64 * 1024;

/** The code of an error in JSON-RPC. Undefined for a result, and for what is no JSON. */
export function errorCodeIn(message: Buffer): number | undefined {
  if (message.length > MAX_ERROR) return undefined;
  const answer = parsed(message);
  const error = isJsonObject(answer) ? answer.error : undefined;
  return isJsonObject(error) && typeof error.code === 'number' ? error.code : undefined;
}

function parsed(message: Buffer): unknown {
  try {
    return JSON.parse(message.toString());
  } catch {
    return undefined;
  }
}
