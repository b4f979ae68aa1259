import type { Logger } from 'pino';
import { ProblemError } from '../platform/problem-error.ts';
import type { GatewaySessions } from '../sessions/sessions.ts';
import type { Admission, Call } from './call.ts';
import { type UpstreamHeaders, upstreamSessionIdOf } from './response-head.ts';

export interface CallSessionDeps {
  readonly sessions: GatewaySessions;
  readonly log: Logger;
}

const REFUSED = new Set<string>(['not_found', 'forbidden']);

/**
 * Does what a response's head means for the call's session: opens one, ends it, or counts the call
 * as activity. The returned promise settles when it is written; the response must not leave before.
 */
export function settleSession(
  call: Call,
  { use, route, actor }: Admission,
  deps: CallSessionDeps,
  status: number,
  headers: UpstreamHeaders,
): Promise<void> | undefined {
  const { method } = call.req;
  const isSuccess = status < 300;
  if (use === 'legacy') {
    // 404: the upstream knows it no more. 405 to DELETE: it cannot be ended there, but the client is done.
    const isEnded = status === 404 || (method === 'DELETE' && (isSuccess || status === 405));
    return isEnded ? endSession(call, deps) : undefined;
  }
  if (!isSuccess || method === 'DELETE') return undefined;
  const minted =
    use === 'undecided' && method === 'POST' ? upstreamSessionIdOf(headers) : undefined;
  if (minted !== undefined) return openSession(call, { route, actor }, deps, minted);
  return call.session === undefined ? joinActivity(call, { route, actor }, deps) : undefined;
}

async function openSession(
  call: Call,
  { route, actor }: Pick<Admission, 'route' | 'actor'>,
  { sessions }: CallSessionDeps,
  upstreamSessionId: string,
): Promise<void> {
  const { session, clientSessionId } = await sessions.openLegacy(route, actor, upstreamSessionId);
  // Nobody will ever hold the id of a session whose client left before it was told.
  if (call.isOver) return sessions.end(session);
  call.clientSessionId = clientSessionId;
  call.join(session);
}

function joinActivity(
  call: Call,
  { route, actor }: Pick<Admission, 'route' | 'actor'>,
  { sessions, log }: CallSessionDeps,
): Promise<void> | undefined {
  const session = sessions.findOrOpenModern(route, actor);
  if (!(session instanceof Promise)) {
    call.join(session);
    return undefined;
  }
  return session.then(
    (opened) => {
      if (!call.isOver) call.join(opened);
    },
    (error: unknown) => {
      // Detached, archived or revoked while the upstream was at it.
      if (error instanceof ProblemError && REFUSED.has(error.code)) throw error;
      // The upstream has done its work: the answer is worth more than the count.
      log.warn({ requestId: call.requestId, err: error }, 'session not counted');
    },
  );
}

async function endSession(call: Call, { sessions }: CallSessionDeps): Promise<void> {
  const session = call.part();
  if (session !== undefined) await sessions.end(session);
}
