import type { Credentials } from '../../credentials/credentials.ts';
import type { ReadyCredential } from '../../credentials/outcome.ts';
import { EgressError } from '../../egress/errors.ts';
import { subjectIdOf } from '../../identity/caller.ts';
import type { ConnectSession } from '../../sessions/connect-session-ids.ts';
import {
  type GatewaySessions,
  type OpenSession,
  SessionBehindRevoked,
} from '../../sessions/sessions.ts';
import { type Admission, sessionCallerOf } from '../admission.ts';
import type { Call } from '../call.ts';
import { revokedSession } from '../credential-error.ts';
import type { GatewayLimits } from '../limits.ts';
import { upstreamFailure } from '../problems.ts';
import { type BodyNeed, BodyStream, messageIdsOf, readBody } from '../request-body.ts';
import { type BeginSessionDeps, beginSession, CredentialRefused } from './begin-session.ts';

export interface AdoptSessionDeps extends Omit<BeginSessionDeps, 'limits'> {
  readonly sessions: Pick<GatewaySessions, 'legacy' | 'behind'>;
  readonly credentials: Pick<Credentials, 'renew' | 'reportRejected' | 'wantScopes' | 'resolve'>;
  readonly limits: GatewayLimits;
}

/** A call of a connect session that can be made upstream, because its person has connected. */
export interface AdoptableCall {
  readonly connectSession: ConnectSession;
  readonly credential: ReadyCredential;
}

/**
 * Makes the call's connect session an ordinary one, with the same id, and then calls `goOn`. Refuses the
 * call if that cannot be done. A client that ends its session needs no other. Never rejects.
 *
 * @param need of the call's body, which stays unread until then
 */
export async function adoptSession(
  call: Call,
  admission: Admission,
  adoptable: AdoptableCall,
  need: BodyNeed,
  deps: AdoptSessionDeps,
  goOn: (adopted: Admission) => void,
): Promise<void> {
  try {
    const session = await sessionFor(call, admission, adoptable, deps);
    if (session === undefined) call.answer(204, undefined);
    else if (call.hasEnded) await endIfDisconnected(session, admission, deps);
    else goOn({ ...admission, sessionMode: 'legacy', session, connectSession: undefined });
  } catch (error) {
    refuse(call, admission, error, need, deps);
  }
}

/** Undefined for a DELETE of a session that was never adopted. */
function sessionFor(
  call: Call,
  admission: Admission,
  { connectSession, credential }: AdoptableCall,
  deps: AdoptSessionDeps,
): Promise<OpenSession | undefined> {
  const { route, caller } = admission;
  const { aggregateSession, isUse = false } = call.request;
  const begin = () => beginSession(call, admission, credential, connectSession.hello, deps);
  if (aggregateSession !== undefined) {
    const { id } = aggregateSession;
    return deps.sessions.behind.findOrBegin(route, sessionCallerOf(caller), id, begin, isUse);
  }
  const { sessionId = '' } = call.inbound;
  if (call.request.method === 'DELETE') return deps.sessions.legacy.findAdopted(route, sessionId);
  return deps.sessions.legacy.adopt(route, sessionCallerOf(caller), sessionId, begin);
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

function refuse(
  call: Call,
  { route }: Admission,
  thrown: unknown,
  need: BodyNeed,
  { limits, log }: AdoptSessionDeps,
): void {
  if (thrown instanceof EgressError) {
    const { problem, outcome } = upstreamFailure(thrown, call, route, log);
    call.refuse(problem, outcome);
  } else if (thrown instanceof CredentialRefused || thrown instanceof SessionBehindRevoked) {
    const error = thrown instanceof CredentialRefused ? thrown.error : revokedSession(route);
    readBody(call, need, limits, (body) => {
      call.notes.body = body;
      call.refuseInRpc(error, messageIdsOf(body));
      if (body instanceof BodyStream) body.destroy();
    });
  } else {
    call.refuse(thrown);
  }
}
