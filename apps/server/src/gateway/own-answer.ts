import { INVALID_REQUEST } from '../mcp/errors.ts';
import type { MessageIds } from '../mcp/message-ids.ts';
import { refusalOf } from '../mcp/server/reply.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { CallOutcome, CallRefusal } from './call-record.ts';

/** An answer of the gateway instead of the upstream's, which is not written yet. */
export type OwnAnswer = JsonAnswer | RpcAnswer | ProblemAnswer;

interface Recorded {
  readonly outcome: CallOutcome;
  /** Codes for the record of the call. */
  readonly reasons: readonly string[];
}

export interface JsonAnswer extends Recorded {
  readonly kind: 'answer';
  readonly status: number;
  /** Undefined for an answer without a body. */
  readonly json: string | undefined;
  /** Name, value, name, value … */
  readonly headers?: readonly string[];
}

/** An error in JSON-RPC. */
interface RpcAnswer extends Recorded {
  readonly kind: 'refused';
  readonly error: CallRefusal;
  /** Raw JSON; of a batch, those of its requests. */
  readonly ids: string | readonly string[];
}

interface ProblemAnswer extends Recorded {
  readonly kind: 'problem';
  readonly problem: ProblemError;
}

const NO_REASONS: readonly string[] = [];

/** @param headers name, value, name, value … */
export function answerOf(
  status: number,
  json: string | undefined,
  headers: readonly string[] = [],
  outcome: CallOutcome = 'connect',
): JsonAnswer {
  return { kind: 'answer', status, json, headers, outcome, reasons: NO_REASONS };
}

export function problemAnswer(
  problem: ProblemError,
  outcome: CallOutcome,
  reasons: readonly string[] = NO_REASONS,
): ProblemAnswer {
  const codes = [...reasons, problem.code, ...problem.reasons.map(({ code }) => code)];
  return { kind: 'problem', problem, outcome, reasons: codes };
}

/**
 * A refusal in JSON-RPC of a body with a request to respond to, else a problem.
 *
 * @param ids of the body; undefined if there is no body, or if it has not been read
 * @param isEncoded its bytes have a content coding, so that they need not be JSON
 */
export function rpcAnswer(
  refusal: CallRefusal,
  ids: MessageIds | undefined,
  isEncoded: boolean,
  outcome: CallOutcome = 'credential',
): OwnAnswer {
  const { code, reason } = refusal.data;
  const reasons = reason === undefined ? [code] : [code, reason];
  if (ids?.kind === 'malformed' && !isEncoded) {
    const problem = new ProblemError('malformed_json', 'The request body is not valid JSON.');
    return problemAnswer(problem, 'refused', reasons);
  }
  if (ids?.kind !== 'request' && ids?.kind !== 'batch') {
    return problemAnswer(new ProblemError('forbidden', refusal.message), outcome, reasons);
  }
  const raw = ids.kind === 'request' ? ids.id : ids.ids;
  return { kind: 'refused', error: refusal, ids: raw, outcome, reasons };
}

/** For a request with a body that two parsers might decode differently. */
export function mustBePlain(): ProblemError {
  return new ProblemError(
    'unsupported_media_type',
    'Send the body in UTF-8, without a Content-Encoding.',
  );
}

/** The answer to a body in which two parsers might find different messages. */
export function unreadable(message: string, outcome: CallOutcome): JsonAnswer {
  const json = refusalOf('null', { code: INVALID_REQUEST, message });
  return { kind: 'answer', status: 400, json, outcome, reasons: ['unreadable'] };
}
