import { decidePeople } from '@gatehouse/contract';
import type { Credentials } from '../credentials/credentials.ts';
import type { CredentialOutcome } from '../credentials/outcome.ts';
import { isPersonalMode } from '../credentials/target.ts';
import type { Authenticator } from '../identity/authenticator.ts';
import { invalidToken } from '../identity/bearer.ts';
import { bearerIdOf, type Caller, subjectIdOf } from '../identity/caller.ts';
import type { Resource } from '../identity/resource.ts';
import { type SessionMode, sessionModeOf } from '../mcp/era.ts';
import { ProblemError } from '../platform/problem-error.ts';
import {
  type ConnectSession,
  type ConnectSessionIds,
  isConnectSessionId,
} from '../sessions/connect-session-ids.ts';
import type { GatewaySessions, OpenSession, SessionCaller } from '../sessions/sessions.ts';
import type { Inbound } from './inbound.ts';
import type { AggregateSessionRef, CallRequest } from './ports.ts';
import { PeopleRefused } from './problems.ts';
import type { Route, Routes } from './routes.ts';

/** The person has not agreed that this client uses their own credential for the integration. */
export interface ConsentRequired {
  readonly kind: 'needs_user';
  readonly reason: 'consent_required';
  /** What the person has agreed to so far. */
  readonly grantId: string;
}

/**
 * What to do with the call: send it (`ready`), answer it with the connect server (`needs_user`), or
 * refuse it (`unavailable`).
 */
export type CallCredential = CredentialOutcome | ConsentRequired;

/** No credential can be sent until the person acts. */
export type NeededUser = Extract<CallCredential, { kind: 'needs_user' }>;

/** A call that its caller may make, with its route, session and credential, if any. */
export interface Admission {
  readonly token: string;
  readonly caller: Caller;
  readonly route: Route;
  readonly sessionMode: SessionMode;
  readonly session: OpenSession | undefined;
  /** The connect session, if the client has sent the id of one. */
  readonly connectSession: ConnectSession | undefined;
  readonly credential: CallCredential;
}

/** A call that is being admitted. */
export interface Arrival {
  readonly inbound: Inbound;
  readonly request: Pick<CallRequest, 'behind'>;
}

export interface RouteDeps {
  readonly routes: Pick<Routes, 'peek' | 'get'>;
  readonly sessions: GatewaySessions;
  readonly connectSessions: Pick<ConnectSessionIds, 'read'>;
  readonly credentials: Pick<Credentials, 'peek' | 'resolve'>;
}

/**
 * Admits a caller to one route: finds the session and the credential of the call. In steady state both are in memory, and
 * nothing waits: the promises would cost a call 2 µs.
 *
 * @throws ProblemError `policy_refused`, `session_not_found`, `forbidden`
 */
export function admitTo(
  { sessions, connectSessions, credentials }: Omit<RouteDeps, 'routes'>,
  { inbound, request }: Arrival,
  token: string,
  caller: Caller,
  route: Route,
): Admission | Promise<Admission> {
  requirePeopleAllowed(caller, route);
  const { behind } = request;
  const { sessionMode, connectSession, session } =
    behind?.session === undefined
      ? ownSession(sessions, connectSessions, inbound, caller, route)
      : sessionBehind(sessions, behind.session, behind.isUse, caller, route);
  const outcome = credentials.peek(route.target, subjectIdOf(caller));
  if (session instanceof Promise || outcome === undefined) {
    const soFar = { token, caller, route, sessionMode, connectSession };
    return admitOnceFound(credentials, soFar, session);
  }
  const credential = agreedCredential(caller, route, outcome);
  return { token, caller, route, sessionMode, session, connectSession, credential };
}

async function admitOnceFound(
  credentials: RouteDeps['credentials'],
  soFar: Omit<Admission, 'session' | 'credential'>,
  finding: FoundSession,
): Promise<Admission> {
  const session = await finding;
  const { caller, route } = soFar;
  const { target } = route;
  const subjectId = subjectIdOf(caller);
  const outcome =
    credentials.peek(target, subjectId) ?? (await credentials.resolve(target, subjectId));
  return { ...soFar, session, credential: agreedCredential(caller, route, outcome) };
}

/** Reads the route and credential of an open call again. Rejects like `admitTo`. */
export async function readmitTo(
  { routes, credentials }: Pick<RouteDeps, 'routes' | 'credentials'>,
  caller: Caller,
  key: string,
): Promise<Pick<Admission, 'route' | 'credential'>> {
  const route = await routes.get(caller.organizationId, key);
  requirePeopleAllowed(caller, route);
  const credential = await credentials.resolve(route.target, subjectIdOf(caller));
  return { route, credential: agreedCredential(caller, route, credential) };
}

/** What is known of the session of a call before the upstream responds. */
interface SessionSoFar extends Pick<Admission, 'sessionMode' | 'connectSession'> {
  readonly session: FoundSession;
}

function ownSession(
  sessions: RouteDeps['sessions'],
  connectSessions: RouteDeps['connectSessions'],
  inbound: Inbound,
  caller: Caller,
  route: Route,
): SessionSoFar {
  const connectSession = connectSessionOf(sessions, connectSessions, inbound, caller, route);
  // A client of the connect server has no session with the upstream yet.
  const sessionMode =
    connectSession === undefined
      ? sessionModeOf(inbound.protocolVersion, inbound.sessionId)
      : 'undecided';
  const session = findSession(sessions, inbound, sessionMode, route, caller);
  return { sessionMode, connectSession, session };
}

/** A session behind one with the aggregate begins when it is first needed. */
function sessionBehind(
  sessions: RouteDeps['sessions'],
  { id, hello }: AggregateSessionRef,
  isUse: boolean,
  caller: Caller,
  route: Route,
): SessionSoFar {
  const begun = sessions.behind.peek(route, sessionCallerOf(caller), id);
  // That it is used now has to be written.
  const session = isUse && begun?.isUnused ? undefined : begun;
  const connectSession = session === undefined ? { nonce: id, hello } : undefined;
  return { sessionMode: 'legacy', session, connectSession };
}

/** @throws ProblemError `policy_refused` where rules about people do not allow the caller. */
function requirePeopleAllowed(caller: Caller, route: Route): void {
  const { policy } = route;
  if (!policy?.hasPeopleRules) return;
  const reasons = decidePeople(policy.levels, caller);
  if (reasons.length > 0) throw new PeopleRefused(reasons, { caller, route });
}

/**
 * The connect session of a call. Undefined if it has been adopted and is in memory, or if the id does not
 * belong to this token: then it may be that of an adopted session, which belongs to its user.
 */
function connectSessionOf(
  sessions: RouteDeps['sessions'],
  connectSessions: RouteDeps['connectSessions'],
  { protocolVersion, sessionId }: Inbound,
  caller: Caller,
  route: Route,
): ConnectSession | undefined {
  if (!isConnectSessionId(sessionId)) return undefined;
  if (sessionModeOf(protocolVersion, sessionId) !== 'legacy') return undefined;
  if (sessions.legacy.has(sessionId)) return undefined;
  return connectSessions.read(sessionId, route, sessionCallerOf(caller));
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
    return sessions.legacy.require(route, sessionCaller, inbound.sessionId ?? '');
  }
  const session = sessions.modern.peek(route, sessionCaller);
  if (session === undefined)
    return sessions.modern.checkNotBlocked(route, sessionCaller)?.then(() => undefined);
  return inbound.protocolVersion === undefined ? undefined : session;
}

/**
 * The credential of a call by an application's token. A person agrees to the integrations that are
 * attached at that moment: the person's own credential for one attached later is not used until the
 * person agrees to that one too, also if there is no such credential yet. An application that acts for itself never
 * has one.
 *
 * @throws ProblemError `forbidden`
 */
function agreedCredential(
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
  if (!isPersonalMode(target.authMode) || credential.kind === 'unavailable') return credential;
  if (via.integrationIds.includes(integrationId)) return credential;
  return { kind: 'needs_user', reason: 'consent_required', grantId: via.id };
}

/** A caller as sessions know them. */
export function sessionCallerOf(caller: Caller): SessionCaller {
  return { subjectId: subjectIdOf(caller), bearerId: bearerIdOf(caller) };
}

/**
 * The caller of a token that may be used at an MCP URL. Says nothing about routes: one caller may be
 * admitted to several. Synchronous when the caller is in memory.
 *
 * @param key of the URL: `<application id>`, or `<application id>/<integration id>`
 * @throws ProblemError, or rejects with one: `unauthenticated`, also for an OAuth token of another resource
 *   (RFC 8707 section 2), `forbidden`, `insufficient_scope`
 */
export function admitCaller(
  authenticator: Authenticator,
  token: string,
  key: string,
): Caller | Promise<Caller> {
  const caller = authenticator.authenticateCached(token);
  if (caller !== undefined) return requireMcp(caller, key);
  return authenticator.authenticate(token).then((found) => requireMcp(found, key));
}

/** The caller of an open call once more, without recording a use of its token. Rejects like `admitCaller`. */
export async function readmitCaller(
  authenticator: Authenticator,
  token: string,
  admitted: Caller,
  key: string,
): Promise<Caller> {
  return requireMcp(await authenticator.reauthenticate(token, admitted), key);
}

function requireMcp(caller: Caller, key: string): Caller {
  if (caller.via.kind === 'invitation') {
    throw new ProblemError('forbidden', 'An invitation may not use the gateway.');
  }
  if (caller.audience !== undefined && !isAudience(caller.audience, key)) throw invalidToken();
  if (!caller.scopes.includes('mcp')) {
    throw new ProblemError('insufficient_scope', 'The access token lacks the scope mcp.');
  }
  return caller;
}

function isAudience(audience: Resource, key: string): boolean {
  if (audience.kind === 'management' || !key.startsWith(audience.applicationId)) return false;
  return audience.kind === 'application' || key.endsWith(audience.integrationId);
}
