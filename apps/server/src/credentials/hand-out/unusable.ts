import { credentialFailures, mustConnectText } from '@gatehouse/contract';
import { ProblemError } from '../../platform/problem-error.ts';
import { connectUrlOf } from '../connect/connect-url.ts';
import { failureForCaller } from '../failures.ts';
import type { UnusableCredential } from '../outcome.ts';

/** Why there is no credential to hand out now. @param publicUrl our origin */
export function unusableProblem(
  outcome: UnusableCredential,
  publicUrl: string,
  integrationId: string,
): ProblemError {
  const failure = credentialFailures[outcome.reason];
  if (outcome.kind === 'needs_user') {
    const connectUrl = connectUrlOf(publicUrl, integrationId);
    const detail = mustConnectText(failure.sentence);
    return new ProblemError('connection_required', detail, { connectUrl });
  }
  const detail = failureForCaller(failure);
  if (failure.actor === 'admin') return new ProblemError('integration_misconfigured', detail);
  const headers = failure.actor === 'nobody' ? { 'Retry-After': '5' } : {};
  return new ProblemError('credential_unavailable', detail, { headers });
}
