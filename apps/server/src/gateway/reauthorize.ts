import { ProblemError } from '../platform/problem-error.ts';
import type { GatewaySessions, OpenSession } from '../sessions/sessions.ts';
import type { Admissions } from './admission.ts';
import type { Call } from './call.ts';
import { routeKeyOf } from './match.ts';

/** Calls asked about at the same time. */
const CONCURRENCY = 16;

/**
 * Asks anew whether calls in flight may go on: token, route, session. Cuts those that may not.
 *
 * @throws ProblemError when the database cannot tell.
 */
export async function reauthorize(
  calls: readonly Call[],
  admissions: Admissions,
  sessions: GatewaySessions,
): Promise<void> {
  const open = calls.flatMap(({ session }) => session ?? []);
  const ended = open.length === 0 ? new Set<OpenSession>() : await sessions.findEnded(open);
  for (let start = 0; start < calls.length; start += CONCURRENCY) {
    const some = calls.slice(start, start + CONCURRENCY);
    await Promise.all(some.map((call) => reauthorizeOne(call, admissions, sessions, ended)));
  }
}

async function reauthorizeOne(
  call: Call,
  admissions: Admissions,
  sessions: GatewaySessions,
  ended: ReadonlySet<OpenSession>,
): Promise<void> {
  const { admission, session } = call;
  if (admission === undefined || call.isOver) return;
  const { token, actor, route, use } = admission;
  try {
    const hasEnded = session !== undefined && ended.has(session);
    if (use !== 'legacy' && (session === undefined || hasEnded)) {
      await sessions.checkNotBlocked(route, actor);
    }
    if (hasEnded) {
      call.cut(sessionOver());
      return;
    }
    const now = await admissions.authorize(token, routeKeyOf(call.req.url ?? ''));
    const isSame =
      now.route.attachmentId === route.attachmentId && now.route.target.url === route.target.url;
    if (!isSame) call.cut(sessionOver());
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code === 'database_unavailable') throw error;
    call.cut(error);
  }
}

function sessionOver(): ProblemError {
  return new ProblemError('session_not_found', 'The session has ended.');
}
