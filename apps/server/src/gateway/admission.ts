import type { Credentials } from '../credentials/outcome.ts';
import { type HostAndOrigin, preflightHeaders } from '../http/host-and-origin.ts';
import type { Actor } from '../identity/actor.ts';
import type { Authenticator } from '../identity/authenticator.ts';
import { requireBearer } from '../identity/bearer.ts';
import { type SessionUse, sessionUseOf } from '../mcp/era.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { GatewaySessions, OpenSession } from '../sessions/sessions.ts';
import type { Admission, Call } from './call.ts';
import { routeKeyOf } from './match.ts';
import type { Route, Routes } from './routes.ts';

export interface AdmissionDeps {
  readonly authenticator: Authenticator;
  readonly routes: Routes;
  readonly sessions: GatewaySessions;
  readonly credentials: Pick<Credentials, 'peek' | 'resolve'>;
  readonly hostAndOrigin: HostAndOrigin;
  /** Sends an admitted call up. @throws ProblemError */
  readonly relay: (call: Call, admission: Admission) => void;
}

const SERVED = 'POST, GET, DELETE';
const METHODS = new Set<string | undefined>(SERVED.split(', '));

/** Decides whether calls may go up, and with what. */
export class Admissions {
  readonly #deps: AdmissionDeps;

  constructor(deps: AdmissionDeps) {
    this.#deps = deps;
  }

  /**
   * Host, origin and method; CORS headers for the answer.
   *
   * @returns false when the call is a preflight, which is answered.
   * @throws ProblemError
   */
  receive(call: Call): boolean {
    const { inbound, req } = call;
    const { hostAndOrigin } = this.#deps;
    if (inbound.isAmbiguous) {
      throw new ProblemError('validation_failed', 'An identifying header may be sent only once.');
    }
    const { origin } = inbound;
    hostAndOrigin.check(inbound.host, origin);
    if (origin !== undefined) call.extraHeaders = hostAndOrigin.corsHeaders(origin).flat();
    if (METHODS.has(req.method)) return true;
    const isPreflight = req.headers['access-control-request-method'] !== undefined;
    if (req.method === 'OPTIONS' && origin !== undefined && isPreflight) {
      const requested = req.headers['access-control-request-headers'];
      call.answerPreflight(preflightHeaders(SERVED, requested).flat());
      return false;
    }
    throw new ProblemError('method_not_allowed', 'Use POST, GET or DELETE.', {
      headers: { Allow: `${SERVED}, OPTIONS` },
    });
  }

  /**
   * Starts the call; in one turn when everything it needs is in memory.
   *
   * @throws ProblemError in either case.
   */
  admit(call: Call): undefined | Promise<void> {
    const { authenticator, routes, sessions, credentials } = this.#deps;
    const token = requireBearer(call.inbound.authorization);
    const key = routeKeyOf(call.req.url ?? '');
    const actor = authenticator.peek(token);
    if (actor === undefined) return this.#admitSlowly(call, token, key);
    requireScope(actor);
    const route = routes.peek(actor.organizationId, key);
    if (route === undefined) return this.#admitSlowly(call, token, key);
    const use = useOf(call);
    const session = findSession(sessions, call, use, route, actor);
    const credential = credentials.peek(route.target, actor.userId);
    if (session instanceof Promise || credential === undefined) {
      return this.#finish(call, { token, actor, route, use }, session);
    }
    this.#deps.relay(call, { token, actor, route, use, session, credential });
    return undefined;
  }

  /** Whether the token still opens the route, which is no use of the token. @throws ProblemError */
  async authorize(token: string, key: string): Promise<{ actor: Actor; route: Route }> {
    return this.#authorize(await this.#deps.authenticator.recheck(token), key);
  }

  async #authorize(actor: Actor, key: string): Promise<{ actor: Actor; route: Route }> {
    requireScope(actor);
    return { actor, route: await this.#deps.routes.get(actor.organizationId, key) };
  }

  async #admitSlowly(call: Call, token: string, key: string): Promise<void> {
    const authenticated = await this.#deps.authenticator.authenticate(token);
    const { actor, route } = await this.#authorize(authenticated, key);
    const use = useOf(call);
    const session = findSession(this.#deps.sessions, call, use, route, actor);
    return this.#finish(call, { token, actor, route, use }, session);
  }

  async #finish(
    call: Call,
    found: { token: string; actor: Actor; route: Route; use: SessionUse },
    session: FoundSession,
  ): Promise<void> {
    const { actor, route } = found;
    const opened = await session;
    const credential = await this.#deps.credentials.resolve(route.target, actor.userId);
    this.#deps.relay(call, { ...found, session: opened, credential });
  }
}

type FoundSession = OpenSession | undefined | Promise<OpenSession | undefined>;

/**
 * The session a call is in, as far as it is known before the upstream has answered. Without a
 * version header that is none: `initialize` is not activity of the token.
 *
 * @throws ProblemError `session_not_found`; `forbidden` after the token's session was revoked.
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

function useOf({ inbound }: Call): SessionUse {
  return sessionUseOf(inbound.protocolVersion, inbound.sessionId);
}

function requireScope(actor: Actor): void {
  if (actor.tokenKind === 'invitation') {
    throw new ProblemError('forbidden', 'An invitation may not use the gateway.');
  }
  if (!actor.scopes.includes('mcp')) {
    throw new ProblemError('insufficient_scope', 'The access token lacks the scope mcp.');
  }
}
