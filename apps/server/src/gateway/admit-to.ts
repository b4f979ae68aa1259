import type { Credentials } from '../credentials/credentials.ts';
import { type Caller, subjectIdOf } from '../identity/caller.ts';
import { type SessionMode, sessionModeOf } from '../mcp/era.ts';
import {
  type ConnectSession,
  type ConnectSessionIds,
  isConnectSessionId,
} from '../sessions/connect-session-ids.ts';
import type { GatewaySessions, OpenSession } from '../sessions/sessions.ts';
import {
  type Admission,
  agreedCredential,
  type CallCredential,
  sessionCallerOf,
} from './admission.ts';
import type { Inbound } from './inbound.ts';
import { sessionEnded } from './problems.ts';
import type { Route, Routes } from './routes.ts';

export interface RouteDeps {
  readonly routes: Routes;
  readonly sessions: GatewaySessions;
  readonly connectSessions: Pick<ConnectSessionIds, 'read'>;
  readonly credentials: Pick<Credentials, 'peek' | 'resolve'>;
}

/**
 * Admits a caller to one route: finds the session and the credential of the call. Synchronous when
 * everything is in memory, as in steady state.
 *
 * @param key of the route, see `Routes`
 * @throws ProblemError, or rejects with one: `not_found`, `not_proxied`, `session_not_found`, `forbidden`
 */
export function admitTo(
  deps: RouteDeps,
  inbound: Inbound,
  token: string,
  caller: Caller,
  key: string,
): Admission | Promise<Admission> {
  const route = deps.routes.peek(caller.organizationId, key);
  if (route !== undefined) return admitToRoute(deps, inbound, token, caller, route);
  return deps.routes
    .get(caller.organizationId, key)
    .then((loaded) => admitToRoute(deps, inbound, token, caller, loaded));
}

/** The route and credential of an open call once more. Rejects like `admitTo`. */
export async function readmitTo(
  { routes, credentials }: Pick<RouteDeps, 'routes' | 'credentials'>,
  caller: Caller,
  key: string,
): Promise<Pick<Admission, 'route' | 'credential'>> {
  const route = await routes.get(caller.organizationId, key);
  return { route, credential: await resolveAgreed(credentials, caller, route) };
}

function admitToRoute(
  { sessions, connectSessions, credentials }: RouteDeps,
  inbound: Inbound,
  token: string,
  caller: Caller,
  route: Route,
): Admission | Promise<Admission> {
  const connectSession = connectSessionOf(connectSessions, inbound, caller, route);
  // A client of the connect server has no session with the upstream yet.
  const sessionMode =
    connectSession === undefined
      ? sessionModeOf(inbound.protocolVersion, inbound.sessionId)
      : 'undecided';
  const session = findSession(sessions, inbound, sessionMode, route, caller);
  const credential = credentials.peek(route.target, subjectIdOf(caller));
  if (session instanceof Promise || credential === undefined) {
    const found = { token, caller, route, sessionMode, connectSession };
    return complete(found, session, credentials);
  }
  const agreed = agreedCredential(caller, route, credential);
  return { token, caller, route, sessionMode, session, connectSession, credential: agreed };
}

async function complete(
  found: Omit<Admission, 'session' | 'credential'>,
  session: FoundSession,
  credentials: RouteDeps['credentials'],
): Promise<Admission> {
  const { caller, route } = found;
  const opened = await session;
  const credential = await resolveAgreed(credentials, caller, route);
  return { ...found, session: opened, credential };
}

async function resolveAgreed(
  credentials: RouteDeps['credentials'],
  caller: Caller,
  route: Route,
): Promise<CallCredential> {
  const credential = await credentials.resolve(route.target, subjectIdOf(caller));
  return agreedCredential(caller, route, credential);
}

/** @throws ProblemError `session_not_found` */
function connectSessionOf(
  connectSessions: RouteDeps['connectSessions'],
  { protocolVersion, sessionId }: Inbound,
  caller: Caller,
  route: Route,
): ConnectSession | undefined {
  if (!isConnectSessionId(sessionId)) return undefined;
  if (sessionModeOf(protocolVersion, sessionId) !== 'legacy') return undefined;
  const session = connectSessions.read(sessionId, route, sessionCallerOf(caller));
  if (session === undefined) throw sessionEnded();
  return session;
}

type FoundSession = OpenSession | undefined | Promise<OpenSession | undefined>;

/**
 * The session of a call, as far as it is known before the upstream responds. A call without a version
 * header may be `initialize`: it enters a session only once the response shows which. A modern session
 * in memory still proves that the token is not blocked, so it is looked up in any case.
 *
 * @throws ProblemError `session_not_found`; `forbidden` while the token is blocked on the attachment.
 */
function findSession(
  sessions: GatewaySessions,
  inbound: Inbound,
  sessionMode: SessionMode,
  route: Route,
  caller: Caller,
): FoundSession {
  const sessionCaller = sessionCallerOf(caller);
  if (sessionMode === 'legacy') {
    return sessions.requireLegacy(route, sessionCaller, inbound.sessionId ?? '');
  }
  const session = sessions.peekModern(route, sessionCaller);
  if (session === undefined)
    return sessions.checkNotBlocked(route, sessionCaller)?.then(() => undefined);
  return inbound.protocolVersion === undefined ? undefined : session;
}
