import { isDeepStrictEqual } from 'node:util';
import type { ReadyCredential } from '../credentials/outcome.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { GatewaySessions, OpenSession } from '../sessions/sessions.ts';
import type { Admission } from './admission.ts';
import type { Admitter } from './admitter.ts';
import type { Call } from './call.ts';
import { isAwaited } from './connect-server/awaited.ts';
import { routeKeyOf } from './match.ts';
import { credentialGone, sessionEnded } from './problems.ts';

/** Calls that are rechecked at the same time. */
const CONCURRENCY = 16;

/**
 * Authorizes open calls again: session, token, route and credential. Cuts those that are no longer
 * allowed.
 *
 * @throws whatever the database throws.
 */
export async function recheckCalls(
  calls: readonly Call[],
  admitter: Admitter,
  sessions: GatewaySessions,
): Promise<void> {
  const open = calls.flatMap(({ session }) => session ?? []);
  const ended = open.length === 0 ? new Set<OpenSession>() : await sessions.findEnded(open);
  for (let start = 0; start < calls.length; start += CONCURRENCY) {
    const batch = calls.slice(start, start + CONCURRENCY);
    await Promise.all(batch.map((call) => recheckCall(call, admitter, sessions, ended)));
  }
}

async function recheckCall(
  call: Call,
  admitter: Admitter,
  sessions: GatewaySessions,
  ended: ReadonlySet<OpenSession>,
): Promise<void> {
  const { admission, session } = call;
  if (admission === undefined || call.hasEnded) return;
  const { actor, route, use } = admission;
  try {
    const isSessionEnded = session !== undefined && ended.has(session);
    // First, because 403 with Retry-After tells a revoked modern client more than 404, which means a
    // legacy server to it.
    if (use !== 'legacy' && (session === undefined || isSessionEnded)) {
      await sessions.checkNotBlocked(route, actor);
    }
    if (isSessionEnded) {
      call.cut(sessionEnded());
      return;
    }
    const current = await admitter.recheck(admission, routeKeyOf(call.req.url ?? ''));
    const isSameUpstream =
      current.route.attachmentId === route.attachmentId &&
      current.route.target.url === route.target.url;
    if (!isSameUpstream) call.cut(sessionEnded());
    else if (isCredentialGone(call, current.credential)) call.cut(credentialGone());
    else if (!isAwaited(current.credential)) call.exchange?.onSettled?.();
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code === 'database_unavailable') throw error;
    call.cut(error);
  }
}

/**
 * Whether the credential that a call was made with has been taken away, or replaced under a stream. A
 * call that is no stream has been sent with it, and may bring its response home after a replacement.
 */
function isCredentialGone(
  { admission, isStream, isRenewing }: Call,
  current: Admission['credential'],
): boolean {
  const made = admission?.credential;
  if (made?.kind !== 'ready') return false;
  if (current.kind === 'ready') return isStream && !isSameCredential(made, current);
  // The provider may renew it in a moment.
  if (current.reason === 'refresh_failed') return false;
  // What renewing does to the connection is told to the client by the outcome of renewing.
  const isDeleted = current.reason === 'connection_required';
  return !isRenewing || current.kind !== 'needs_user' || isDeleted;
}

/**
 * Each connection that a user makes has an id of its own, which it keeps when its credential is renewed; a
 * server token is known by what is sent.
 */
function isSameCredential(made: ReadyCredential, current: ReadyCredential): boolean {
  if (made.source !== current.source || made.connectionId !== current.connectionId) return false;
  return made.connectionId !== undefined || isDeepStrictEqual(made.headers, current.headers);
}
