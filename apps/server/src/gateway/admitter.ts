import type { Credentials } from '../credentials/credentials.ts';
import type { Actor } from '../identity/actor.ts';
import type { Authenticator } from '../identity/authenticator.ts';
import { requireBearer } from '../identity/bearer.ts';
import { type SessionUse, sessionUseOf } from '../mcp/era.ts';
import { type ConnectSessionIds, isConnectSessionId } from '../sessions/connect-session-ids.ts';
import type { GatewaySessions, OpenSession } from '../sessions/sessions.ts';
import type { Admission } from './admission.ts';
import { agreedCredential, authorizeCall } from './authorize-call.ts';
import type { Call } from './call.ts';
import { routeKeyOf } from './match.ts';
import { sessionEnded } from './problems.ts';
import type { Route, Routes } from './routes.ts';

export interface AdmitterDeps {
  readonly authenticator: Authenticator;
  readonly routes: Routes;
  readonly sessions: GatewaySessions;
  readonly connectSessions: Pick<ConnectSessionIds, 'read'>;
  readonly credentials: Pick<Credentials, 'peek' | 'resolve'>;
}

/**
 * Finds out on whose behalf a call is, where it goes, in which session and with which credential,
 * which may be unusable: `relay` then refuses.
 */
export class Admitter {
  readonly #deps: AdmitterDeps;

  constructor(deps: AdmitterDeps) {
    this.#deps = deps;
  }

  /**
   * Synchronous when everything it needs is in memory, as in steady state.
   *
   * @throws ProblemError, or rejects with one.
   */
  admit(call: Call): Admission | Promise<Admission> {
    const { authenticator, routes, sessions, credentials } = this.#deps;
    const token = requireBearer(call.inbound.authorization);
    const key = routeKeyOf(call.req.url ?? '');
    const actor = authenticator.authenticateCached(token);
    if (actor === undefined) return this.#admitSlowly(call, token, key);
    authorizeCall(actor, key);
    const route = routes.peek(actor.organizationId, key);
    if (route === undefined) return this.#admitSlowly(call, token, key);
    const use = this.#useOf(call, route, actor);
    const session = findSession(sessions, call, use, route, actor);
    const credential = credentials.peek(route.target, actor.userId);
    if (session instanceof Promise || credential === undefined) {
      return this.#complete({ token, actor, route, use }, session);
    }
    const agreed = agreedCredential(actor, route, credential);
    return { token, actor, route, use, session, credential: agreed };
  }

  /** Finds route and credential of an admitted call again, without recording a use of its token. @throws ProblemError */
  async recheck(
    { token, actor: admitted }: Pick<Admission, 'token' | 'actor'>,
    key: string,
  ): Promise<Pick<Admission, 'route' | 'credential'>> {
    const current = await this.#deps.authenticator.recheck(token, admitted);
    const { actor, route } = await this.#authorize(current, key);
    return { route, credential: await this.#resolve(actor, route) };
  }

  async #resolve(actor: Actor, route: Route): Promise<Admission['credential']> {
    const credential = await this.#deps.credentials.resolve(route.target, actor.userId);
    return agreedCredential(actor, route, credential);
  }

  async #authorize(actor: Actor, key: string): Promise<{ actor: Actor; route: Route }> {
    authorizeCall(actor, key);
    return { actor, route: await this.#deps.routes.get(actor.organizationId, key) };
  }

  async #admitSlowly(call: Call, token: string, key: string): Promise<Admission> {
    const authenticated = await this.#deps.authenticator.authenticate(token);
    const { actor, route } = await this.#authorize(authenticated, key);
    const use = this.#useOf(call, route, actor);
    const session = findSession(this.#deps.sessions, call, use, route, actor);
    return this.#complete({ token, actor, route, use }, session);
  }

  /**
   * The session of a client whose person must connect is none upstream.
   *
   * @throws ProblemError `session_not_found`
   */
  #useOf(call: Call, route: Route, actor: Actor): SessionUse {
    const { protocolVersion, sessionId } = call.inbound;
    const use = sessionUseOf(protocolVersion, sessionId);
    if (use !== 'legacy' || !isConnectSessionId(sessionId)) return use;
    call.connectSession = this.#deps.connectSessions.read(sessionId, route, actor);
    if (call.connectSession === undefined) throw sessionEnded();
    return 'undecided';
  }

  async #complete(
    found: Omit<Admission, 'session' | 'credential'>,
    session: FoundSession,
  ): Promise<Admission> {
    const { actor, route } = found;
    const opened = await session;
    return { ...found, session: opened, credential: await this.#resolve(actor, route) };
  }
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
  { inbound }: Call,
  use: SessionUse,
  route: Route,
  actor: Actor,
): FoundSession {
  if (use === 'legacy') return sessions.requireLegacy(route, actor, inbound.sessionId ?? '');
  const session = sessions.peekModern(route, actor);
  if (session === undefined) return sessions.checkNotBlocked(route, actor)?.then(() => undefined);
  return inbound.protocolVersion === undefined ? undefined : session;
}
