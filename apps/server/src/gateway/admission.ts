import type { CredentialOutcome } from '../credentials/outcome.ts';
import { isPersonalMode } from '../credentials/target.ts';
import { bearerIdOf, type Caller, subjectIdOf } from '../identity/caller.ts';
import type { SessionMode } from '../mcp/era.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { ConnectSession } from '../sessions/connect-session-ids.ts';
import type { OpenSession, SessionCaller } from '../sessions/sessions.ts';
import type { Route } from './routes.ts';

/** The person has a credential for the integration, and has not agreed that this application uses it. */
export interface ConsentRequired {
  readonly kind: 'needs_user';
  readonly reason: 'consent_required';
}

/**
 * What to do with the call: send it (`ready`), answer it with the connect server (`needs_user`), or
 * refuse it (`unavailable`).
 */
export type CallCredential = CredentialOutcome | ConsentRequired;

/** No credential can be sent until the caller, a person, has done something about it. */
export type NeededUser = Extract<CallCredential, { kind: 'needs_user' }>;

/** A call that its caller may make, with its route, session and credential, if any. */
export interface Admission {
  readonly token: string;
  readonly caller: Caller;
  readonly route: Route;
  readonly sessionMode: SessionMode;
  readonly session: OpenSession | undefined;
  /** Of the connect server, if the client has sent the id of one. */
  readonly connectSession: ConnectSession | undefined;
  readonly credential: CallCredential;
}

/**
 * The credential of a call by an application's token. A person agrees to the integrations that are
 * attached at that moment: the person's own credential for one attached later is not used until the
 * person agrees to that one too. An application that acts for itself has no such credential.
 *
 * @throws ProblemError `forbidden`
 */
export function agreedCredential(
  caller: Caller,
  { integrationId, target }: Route,
  credential: CredentialOutcome,
): CallCredential {
  if (caller.kind === 'application') {
    if (!isPersonalMode(target.authMode)) return credential;
    throw new ProblemError(
      'forbidden',
      'An application that acts for itself has no account at this integration: a person must sign in.',
    );
  }
  const { audience, via } = caller;
  if (audience?.kind !== 'application' || via.kind !== 'grant') return credential;
  if (credential.kind !== 'ready' || credential.source !== 'connection') return credential;
  if (via.integrationIds.includes(integrationId)) return credential;
  return { kind: 'needs_user', reason: 'consent_required' };
}

/** A caller as sessions know them. */
export function sessionCallerOf(caller: Caller): SessionCaller {
  return { subjectId: subjectIdOf(caller), bearerId: bearerIdOf(caller) };
}
