import type { Logger } from 'pino';
import { type EgressErrorReason, toEgressError } from '../egress/errors.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { CallOutcome } from './metrics.ts';
import { notTried, upstreamUnreachable } from './problems.ts';
import type { Route } from './routes.ts';

/** Failures that say nothing about the upstream. */
const OURS = new Set<EgressErrorReason>(['out_of_files', 'too_many_lookups']);

/** How a call ends whose exchange has failed. What failed is logged. */
export function upstreamFailure(
  error: Error,
  { requestId }: { readonly requestId: string },
  { applicationId, integrationId }: Pick<Route, 'applicationId' | 'integrationId'>,
  log: Logger,
): { readonly problem: ProblemError; readonly outcome: CallOutcome } {
  // Only the limit of `BodyStream`.
  if (error instanceof ProblemError) return { problem: error, outcome: 'too_large' };
  const { kind, reason } = toEgressError(error);
  log.info({ requestId, applicationId, integrationId, kind, reason }, 'upstream failed');
  const problem = OURS.has(reason) ? notTried() : upstreamUnreachable();
  return { problem, outcome: 'upstream_failed' };
}
