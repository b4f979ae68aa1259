import type { ProblemError } from '../../platform/problem-error.ts';
import type { Admission } from '../admission.ts';
import { sessionEnded } from '../problems.ts';

/**
 * A session of the connect server whose person need do nothing any more. Many clients do not initialize
 * anew by themselves, and show this to the person instead.
 */
export function connectSessionEnded({ kind }: Admission['credential']): ProblemError {
  if (kind !== 'ready') return sessionEnded();
  return sessionEnded(
    'Your account is connected now. Reconnect to this server, or start your client again, to use its tools.',
  );
}
