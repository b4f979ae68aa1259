import { isVerdict } from '../../mcp/client/find-eras.ts';
import type { Era } from '../../mcp/era.ts';
import { MODERN_ERRORS, UNSUPPORTED_VERSION } from '../../mcp/errors.ts';
import { NoSessionBegun } from '../problems.ts';
import type { Collected } from './collect.ts';
import type { AnsweredError, Unanswered, UpstreamFailure } from './upstream-answer.ts';

/** Statuses of a server that does not take such a message: it has not executed it. */
const REFUSED: ReadonlySet<number> = new Set([400, 404, 405, 406, 415]);

/**
 * Whether a server that refuses a request like this may speak another era than the one it was spoken to in. Then it has not
 * executed the request.
 *
 * @param era in which the server was spoken to
 */
export function isRefusalOfEra(refused: Unanswered, era: Era): boolean {
  return refused.kind === 'error' ? isErrorOfEra(refused, era) : mayBeOfOtherEra(refused);
}

/** The same for a request that we made. */
export function mayBeOfOtherEra(failure: UpstreamFailure | Collected): boolean {
  if (failure.kind === 'problem') {
    return failure.problem instanceof NoSessionBegun && isVerdict(failure.problem);
  }
  return 'status' in failure && REFUSED.has(failure.status);
}

/** A modern server refuses with 400 and codes of its era; a legacy one with 400 other versions, and requests outside a session. */
function isErrorOfEra({ status, code }: AnsweredError, era: Era): boolean {
  if (status !== 400) return false;
  return era === 'legacy'
    ? MODERN_ERRORS.has(code)
    : code === UNSUPPORTED_VERSION || !MODERN_ERRORS.has(code);
}
