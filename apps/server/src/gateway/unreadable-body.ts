import { INVALID_REQUEST } from '../mcp/errors.ts';
import { refusalOf } from '../mcp/server/reply.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { Call } from './call.ts';
import type { CallOutcome } from './call-record.ts';

/** For a request with a body that two parsers might decode differently. */
export function mustBePlain(): ProblemError {
  return new ProblemError(
    'unsupported_media_type',
    'Send the body in UTF-8, without a Content-Encoding.',
  );
}

/** Refuses a body in which two parsers might find different messages. */
export function refuseUnreadable(
  call: Pick<Call, 'notes' | 'answer'>,
  reason: string,
  outcome: CallOutcome,
): void {
  call.notes.addReason('unreadable');
  const json = refusalOf('null', { code: INVALID_REQUEST, message: reason });
  call.answer(400, json, [], outcome);
}
