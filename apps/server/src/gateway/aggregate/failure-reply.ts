import type { ProblemCode } from '@gatehouse/contract';
import { UPSTREAM_FAILED } from '../../mcp/errors.ts';
import type { RpcRefusal } from '../../mcp/server/reply.ts';
import type { ProblemError } from '../../platform/problem-error.ts';
import { policyRefusal } from '../policy/refusals.ts';
import { loopDetected, NoSessionBegun } from '../problems.ts';
import type { UpstreamFailure } from './upstream-answer.ts';

/** Those that are about the client's own request or token, or about this service: they are no failure of one integration. */
const OF_REQUEST: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'unauthenticated',
  'insufficient_scope',
  'rate_limited',
  'payload_too_large',
  'malformed_json',
  'unsupported_media_type',
  'validation_failed',
  'database_unavailable',
  'internal_error',
]);

/** The problem that the client's whole request is refused with; undefined where only an integration has failed. */
export function problemOfRequest(failure: UpstreamFailure): ProblemError | undefined {
  if (failure.kind !== 'problem') return undefined;
  return OF_REQUEST.has(failure.problem.code) ? failure.problem : undefined;
}

/**
 * The error of a request that an integration has not answered. In JSON-RPC, because an HTTP status such as 502 makes some
 * clients give up the session with all integrations.
 */
export function failureError(failure: UpstreamFailure, integrationId: string): RpcRefusal {
  if (failure.kind === 'problem') return errorOfProblem(failure.problem, integrationId);
  if (failure.kind === 'refused') return failure.error;
  return failure.kind === 'status'
    ? statusError(failure, integrationId)
    : invalidError(integrationId);
}

function invalidError(integrationId: string): RpcRefusal {
  const message = 'The response of the integration is no answer of MCP to this request.';
  return { code: UPSTREAM_FAILED, message, data: { code: 'upstream_invalid', integrationId } };
}

function errorOfProblem(problem: ProblemError, integrationId: string): RpcRefusal {
  if (problem instanceof NoSessionBegun) {
    return problem.status < 400 ? invalidError(integrationId) : statusError(problem, integrationId);
  }
  if (problem.code === 'policy_refused') return policyRefusal(problem.reasons, integrationId);
  return problemError(problem, integrationId);
}

function problemError({ code, message, headers }: ProblemError, integrationId: string): RpcRefusal {
  const retryAfter = secondsIn(headers['Retry-After']);
  return { code: UPSTREAM_FAILED, message, data: { code, integrationId, ...retryAfter } };
}

function statusError(
  { status, retryAfter }: Pick<NoSessionBegun, 'status' | 'retryAfter'>,
  integrationId: string,
): RpcRefusal {
  if (status === 508) return problemError(loopDetected(), integrationId);
  return {
    code: UPSTREAM_FAILED,
    message: `The integration answered with the HTTP status ${status}.`,
    data: { code: 'upstream_status', integrationId, status, ...secondsIn(retryAfter) },
  };
}

function secondsIn(retryAfter: string | undefined): { retryAfter?: number } {
  const seconds = Number(retryAfter);
  return retryAfter !== undefined && Number.isInteger(seconds) ? { retryAfter: seconds } : {};
}
