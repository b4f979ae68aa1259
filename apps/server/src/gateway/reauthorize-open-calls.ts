import { isDeepStrictEqual } from 'node:util';
import type { ReadyCredential } from '../credentials/outcome.ts';
import type { Authenticator } from '../identity/authenticator.ts';
import { pairKeyOf } from '../identity/resource.ts';
import type { Db } from '../platform/database/store.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { findEnded, type OpenSession, type SessionEnd } from '../sessions/sessions.ts';
import {
  type CallCredential,
  type RouteDeps,
  readmitCaller,
  readmitTo,
  sessionCallerOf,
} from './admission.ts';
import type { Call } from './call.ts';
import { isOpenEnded } from './open-calls.ts';
import { announceListChanges } from './policy/list-changes.ts';
import { credentialGone, rulesBegan, sessionEnded } from './problems.ts';
import type { Route } from './routes.ts';
import { changedKinds } from './routes.ts';

export interface ReauthorizeDeps extends Pick<RouteDeps, 'routes' | 'sessions' | 'credentials'> {
  readonly db: Db;
  readonly authenticator: Authenticator;
}

/** Calls that are authorized again at the same time. */
const CONCURRENCY = 16;

/**
 * Authorizes open calls again: session, token, route and credential. Cuts those that are no longer
 * allowed.
 *
 * @throws whatever the database throws.
 */
export async function reauthorizeOpenCalls(
  calls: readonly Call[],
  deps: ReauthorizeDeps,
): Promise<void> {
  const open = calls.flatMap(({ session }) => session ?? []);
  const ended: Ended = open.length === 0 ? new Map() : await findEnded(deps.db, open);
  for (let start = 0; start < calls.length; start += CONCURRENCY) {
    const batch = calls.slice(start, start + CONCURRENCY);
    await Promise.all(batch.map((call) => reauthorize(call, deps, ended)));
  }
}

type Ended = ReadonlyMap<OpenSession, SessionEnd>;

/**
 * Whether a session has ended for a call. An upstream that forgets a session behind one with the aggregate answers 404 to
 * each of its calls, which is then sent again in the next session: cut, it could not tell whether it has run.
 */
function hasEndedFor(call: Call, end: SessionEnd | undefined): boolean {
  const goesOn = call.request.behind?.session !== undefined && !isOpenEnded(call);
  return end !== undefined && !(goesOn && end === 'closed');
}

async function reauthorize(call: Call, deps: ReauthorizeDeps, ended: Ended): Promise<void> {
  const { admission, session } = call;
  if (admission === undefined || call.hasEnded) return;
  const { token, caller, route, sessionMode } = admission;
  try {
    const isSessionEnded = session !== undefined && hasEndedFor(call, ended.get(session));
    // First, because 403 with Retry-After tells a revoked modern client more than 404, which means a
    // legacy server to it.
    if (sessionMode !== 'legacy' && (session === undefined || isSessionEnded)) {
      await deps.sessions.modern.checkNotBlocked(route, sessionCallerOf(caller));
    }
    if (isSessionEnded) {
      call.cut(sessionEnded());
      return;
    }
    const key = pairKeyOf(call.request.url);
    const current = await readmitCaller(deps.authenticator, token, caller, key);
    applyReadmission(call, await readmitTo(deps, current, key));
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code === 'database_unavailable') throw error;
    call.cut(error);
  }
}

function applyReadmission(
  call: Call,
  { route, credential }: Awaited<ReturnType<typeof readmitTo>>,
): void {
  const admitted = call.admission?.route;
  const isSameUpstream =
    route.attachmentId === admitted?.attachmentId && route.target.url === admitted.target.url;
  if (!isSameUpstream) {
    call.cut(sessionEnded());
    return;
  }
  const isOutOfReach = escapesRules(call, route);
  announceListChanges(call, route);
  if (isOutOfReach) call.cut(rulesBegan());
  else if (isCredentialGone(call, credential)) call.cut(credentialGone());
  else if (credential.kind !== 'needs_user') call.exchange?.onSettled?.();
}

/**
 * Whether rules about names would not hold for what the call has not sent or received yet. A GET stream may replay
 * lists (2025-11-25 transports, "Resumability and Redelivery"); a listen was not judged; of a body on its way, a part
 * may be upstream already; a call that is sent again is not judged again. The client has to call again.
 */
function escapesRules(call: Call, { policy }: Route): boolean {
  const before = call.admission?.route.policy;
  if (call.isRenewing) return changedKinds(before, policy).length > 0;
  const haveBegun = !before?.hasNameRules && policy?.hasNameRules === true;
  return haveBegun && (isOpenEnded(call) || call.exchange?.isSending === true);
}

/**
 * Whether the credential that a call was made with has been taken away, or replaced under a stream. A
 * call that is no stream has been sent with it: its response is relayed even after a replacement.
 */
function isCredentialGone(
  { admission, isStream, isRenewing }: Call,
  current: CallCredential,
): boolean {
  const made = admission?.credential;
  if (made?.kind !== 'ready') return false;
  if (current.kind === 'ready') return isStream && !isSameCredential(made, current);
  // The provider may renew it in a moment.
  if (current.reason === 'refresh_failed') return false;
  // Renewing may end the connection: its outcome then tells the client.
  const isAboutAccess = current.reason === 'needs_reauth' || current.reason === 'expired';
  return !(isRenewing && isAboutAccess);
}

/**
 * Each connection of a user has its own id, which it keeps when its credential is renewed; a server token is
 * compared by what is sent.
 */
function isSameCredential(made: ReadyCredential, current: ReadyCredential): boolean {
  if (made.source !== current.source || made.connectionId !== current.connectionId) return false;
  return made.connectionId !== undefined || isDeepStrictEqual(made.headers, current.headers);
}
