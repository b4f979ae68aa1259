import { INVALID_REQUEST } from '../mcp/errors.ts';
import { refusalOf } from '../mcp/server/reply.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { CallOutcome } from './call-record.ts';

/** An answer of the gateway instead of the upstream's, which is not written yet. */
export interface OwnAnswer {
  readonly kind: 'answer';
  readonly status: number;
  /** Undefined for an answer without a body. */
  readonly json: string | undefined;
  /** Name, value, name, value … */
  readonly headers?: readonly string[];
  readonly outcome: CallOutcome;
  /** Codes for the record of the call. */
  readonly reasons: readonly string[];
}

/** For a request with a body that two parsers might decode differently. */
export function mustBePlain(): ProblemError {
  return new ProblemError(
    'unsupported_media_type',
    'Send the body in UTF-8, without a Content-Encoding.',
  );
}

/** The answer to a body in which two parsers might find different messages. */
export function unreadable(message: string, outcome: CallOutcome): OwnAnswer {
  const json = refusalOf('null', { code: INVALID_REQUEST, message });
  return { kind: 'answer', status: 400, json, outcome, reasons: ['unreadable'] };
}
