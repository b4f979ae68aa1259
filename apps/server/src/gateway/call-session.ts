import type { Logger } from 'pino';
import { ProblemError } from '../platform/problem-error.ts';
import type { GatewaySessions } from '../sessions/sessions.ts';
import { type Admission, sessionCallerOf } from './admission.ts';
import type { Call } from './call.ts';
import { type ResponseHeaders, upstreamSessionIdOf } from './response-head.ts';

export interface CallSessionDeps {
  readonly sessions: GatewaySessions;
  readonly log: Logger;
}

/** Codes of a call that is no longer allowed. */
const WITHDRAWN = new Set<string>(['not_found', 'forbidden']);

/**
 * Applies the head of a response to sessions: ends the legacy session, opens one, or counts the call in
 * a modern one. A call in a session was counted when it entered.
 *
 * A returned promise settles once this is written; the response must not be sent before.
 */
export function updateSession(
  call: Call,
  { sessionMode, route, caller }: Admission,
  deps: CallSessionDeps,
  status: number,
  headers: ResponseHeaders,
): Promise<void> | undefined {
  const { method } = call.request;
  const isSuccess = status < 300;
  if (sessionMode === 'legacy') {
    // 404: it no longer exists upstream. 405 to DELETE: the upstream cannot end it, but the client is done.
    const isEnded = status === 404 || (method === 'DELETE' && (isSuccess || status === 405));
    return isEnded ? endSession(call, deps) : undefined;
  }
  if (!isSuccess || method === 'DELETE') return undefined;
  const mayInitialize = sessionMode === 'undecided' && method === 'POST';
  const issuedId = mayInitialize ? upstreamSessionIdOf(headers) : undefined;
  if (issuedId !== undefined) return openSession(call, { route, caller }, deps, issuedId);
  return call.session === undefined ? enterModernSession(call, { route, caller }, deps) : undefined;
}

async function openSession(
  call: Call,
  { route, caller }: Pick<Admission, 'route' | 'caller'>,
  { sessions }: CallSessionDeps,
  upstreamSessionId: string,
): Promise<void> {
  const { session, clientSessionId } = await sessions.legacy.open(
    route,
    sessionCallerOf(caller),
    upstreamSessionId,
  );
  // The client left before it received the id, so the session cannot be used.
  if (call.hasEnded) return sessions.legacy.end(session);
  call.openSession(session, clientSessionId);
}

function enterModernSession(
  call: Call,
  { route, caller }: Pick<Admission, 'route' | 'caller'>,
  { sessions, log }: CallSessionDeps,
): Promise<void> | undefined {
  const session = sessions.modern.findOrOpen(route, sessionCallerOf(caller));
  if (!(session instanceof Promise)) {
    call.enterSession(session);
    return undefined;
  }
  return session.then(
    (opened) => {
      if (!call.hasEnded) call.enterSession(opened);
    },
    (error: unknown) => {
      // Detached, archived or revoked while the upstream was processing the call.
      if (error instanceof ProblemError && WITHDRAWN.has(error.code)) throw error;
      // The upstream has processed the call: its response matters more than the count.
      log.warn({ requestId: call.requestId, err: error }, 'call not counted in a session');
    },
  );
}

async function endSession(call: Call, { sessions }: CallSessionDeps): Promise<void> {
  const session = call.leaveSession();
  if (session !== undefined) await sessions.legacy.end(session);
}
