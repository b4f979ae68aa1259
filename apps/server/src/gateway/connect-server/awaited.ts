import type { UnusableCredential } from '../../credentials/outcome.ts';
import type { Admission } from '../admission.ts';
import type { ConsentRequired } from '../authorize-call.ts';

/** No credential can be sent until the caller, a person, has done something about it. */
export type AwaitedCredential =
  | Extract<UnusableCredential, { kind: 'needs_user' }>
  | ConsentRequired;

export function isAwaited(credential: Admission['credential']): credential is AwaitedCredential {
  return credential.kind === 'needs_user' || credential.kind === 'needs_consent';
}
