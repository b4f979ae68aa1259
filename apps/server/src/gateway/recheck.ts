import { ProblemError } from '../platform/problem-error.ts';
import type { GatewaySessions, OpenSession } from '../sessions/sessions.ts';
import type { Admitter } from './admitter.ts';
import type { Call } from './call.ts';
import { routeKeyOf } from './match.ts';
import { sessionEnded } from './problems.ts';

/** Calls that are rechecked at the same time. */
const CONCURRENCY = 16;

/**
 * Checks again whether open calls are allowed: token, route and session. Cuts those that are not.
 *
 * @throws ProblemError when the database cannot be read.
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
  const { token, actor, route, use } = admission;
  try {
    const isSessionEnded = session !== undefined && ended.has(session);
    if (use !== 'legacy' && (session === undefined || isSessionEnded)) {
      await sessions.checkNotBlocked(route, actor);
    }
    if (isSessionEnded) {
      call.cut(sessionEnded());
      return;
    }
    const now = await admitter.recheck(token, routeKeyOf(call.req.url ?? ''));
    const isSame =
      now.route.attachmentId === route.attachmentId && now.route.target.url === route.target.url;
    if (!isSame) call.cut(sessionEnded());
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code === 'database_unavailable') throw error;
    call.cut(error);
  }
}
