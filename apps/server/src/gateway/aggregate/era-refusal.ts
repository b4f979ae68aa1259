import { isVerdict } from '../../mcp/client/find-eras.ts';
import type { Era } from '../../mcp/era.ts';
import { MODERN_ERRORS, UNSUPPORTED_VERSION } from '../../mcp/errors.ts';
import { NoSessionBegun } from '../problems.ts';
import type { Collected } from './collect.ts';
import type { UpstreamFailure } from './upstream-answer.ts';

/** Statuses of a server that does not take such a message: it has not executed it. */
const REFUSED: ReadonlySet<number> = new Set([400, 404, 405, 406, 415]);

/** Whether a server that fails like this may speak another era than the one it was spoken to in. Then the request has not been executed. */
export function mayBeOfOtherEra(failure: UpstreamFailure | Collected): boolean {
  if (failure.kind === 'problem') {
    return failure.problem instanceof NoSessionBegun && isVerdict(failure.problem);
  }
  return failure.kind !== 'invalid' && REFUSED.has(failure.status);
}

/**
 * The same for an answer in JSON-RPC. A modern server refuses with 400 and codes of that era; a legacy one with 400 what is
 * of another version, or outside a session (2025-11-25 transports).
 *
 * @param era in which the server was spoken to
 */
export function isEraRefusal(status: number, code: number | undefined, era: Era): boolean {
  if (status !== 400 || code === undefined) return false;
  return era === 'legacy'
    ? MODERN_ERRORS.has(code)
    : code === UNSUPPORTED_VERSION || !MODERN_ERRORS.has(code);
}
