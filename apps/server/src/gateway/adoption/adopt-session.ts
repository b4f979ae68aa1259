import type { Credentials } from '../../credentials/credentials.ts';
import { EgressError } from '../../egress/errors.ts';
import { subjectIdOf } from '../../identity/caller.ts';
import {
  type BegunSession,
  type GatewaySessions,
  type OpenSession,
  SessionBehindRevoked,
} from '../../sessions/sessions.ts';
import { type Admission, sessionCallerOf } from '../admission.ts';
import type { Call } from '../call.ts';
import { type CredentialError, revokedSession } from '../credential-error.ts';
import { type UpstreamFailed, upstreamFailure } from '../problems.ts';
import { type BeginSessionDeps, beginSession, CredentialRefused } from './begin-session.ts';

export interface AdoptSessionDeps extends BeginSessionDeps {
  readonly sessions: Pick<GatewaySessions, 'legacy' | 'behind'>;
  readonly credentials: Pick<Credentials, 'renew' | 'reportRejected' | 'wantScopes' | 'resolve'>;
}

/** The session of a call, once a connect session has become an ordinary one. */
export type Adoption =
  /** There is nothing to adopt. */
  | { readonly kind: 'none' }
  | { readonly kind: 'adopted'; readonly admission: Admission }
  /** The client ends a session that was never adopted. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'refused'; readonly error: CredentialError }
  | { readonly kind: 'failed'; readonly failure: UpstreamFailed };

export const NOTHING_TO_ADOPT: Adoption = { kind: 'none' };

/**
 * Makes the connect session of a call an ordinary one with the same id, if its person has connected. A client that ends
 * its session needs no other.
 *
 * @throws ProblemError like `beginSession`
 */
export async function adoptSession(
  call: Call,
  admission: Admission,
  deps: AdoptSessionDeps,
): Promise<Adoption> {
  const { connectSession, credential } = admission;
  if (connectSession === undefined || credential.kind !== 'ready') return NOTHING_TO_ADOPT;
  try {
    const { hello } = connectSession;
    const begin = () => beginSession(call, admission, credential, hello, deps);
    const session = await sessionFor(call, admission, begin, deps);
    if (session === undefined) return { kind: 'ended' };
    if (call.hasEnded) await endIfDisconnected(session, admission, deps);
    const adopted = { sessionMode: 'legacy', session, connectSession: undefined } as const;
    return { kind: 'adopted', admission: { ...admission, ...adopted } };
  } catch (error) {
    if (error instanceof CredentialRefused) return { kind: 'refused', error: error.error };
    if (error instanceof EgressError) {
      return { kind: 'failed', failure: upstreamFailure(error, call, admission.route, deps.log) };
    }
    if (!(error instanceof SessionBehindRevoked)) throw error;
    return { kind: 'refused', error: revokedSession(admission.route) };
  }
}

/** Undefined for a DELETE of a session that was never adopted. */
function sessionFor(
  call: Call,
  { route, caller }: Admission,
  begin: () => Promise<BegunSession>,
  { sessions }: AdoptSessionDeps,
): Promise<OpenSession | undefined> {
  const { behind, method } = call.request;
  if (behind?.session !== undefined) {
    const { id } = behind.session;
    return sessions.behind.findOrBegin(route, sessionCallerOf(caller), id, begin, behind.isUse);
  }
  const { sessionId = '' } = call.inbound;
  if (method === 'DELETE') return sessions.legacy.findAdopted(route, sessionId);
  return sessions.legacy.adopt(route, sessionCallerOf(caller), sessionId, begin);
}

/** A person who disconnects meanwhile has ended only the sessions that were stored by then. */
async function endIfDisconnected(
  session: OpenSession,
  { route, caller }: Admission,
  { sessions, credentials }: AdoptSessionDeps,
): Promise<void> {
  const { kind } = await credentials.resolve(route.target, subjectIdOf(caller));
  if (kind === 'needs_user') await sessions.legacy.end(session);
}
