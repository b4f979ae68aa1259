import type { ProblemError } from '../../platform/problem-error.ts';
import type { Admission } from '../admission.ts';
import { sessionEnded } from '../problems.ts';

/**
 * The person of this connect server session has connected. Many clients do not initialize again by
 * themselves, and show this text to the person instead.
 */
export function connectSessionEnded({ kind }: Admission['credential']): ProblemError {
  if (kind !== 'ready') return sessionEnded();
  return sessionEnded(
    'Your account is connected now. Reconnect to this server, or start your client again, to use its tools.',
  );
}
