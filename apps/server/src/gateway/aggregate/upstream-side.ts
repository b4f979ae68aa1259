import type { ReadyCredential } from '../../credentials/outcome.ts';
import { subjectIdOf } from '../../identity/caller.ts';
import { isVerdict } from '../../mcp/client/find-eras.ts';
import type { ClientHello } from '../../mcp/client-hello.ts';
import { type Era, LAST_LEGACY_VERSION } from '../../mcp/era.ts';
import { MODERN_ERRORS, UNSUPPORTED_VERSION } from '../../mcp/errors.ts';
import { eraFor, type SpokenEras } from '../../mcp/spoken-eras.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import type { AggregateSession } from '../../sessions/sessions.ts';
import { readmitTo, sessionCallerOf } from '../admission.ts';
import { NoSessionBegun } from '../problems.ts';
import type { Route } from '../routes.ts';
import type { AggregateAttachment } from './applications.ts';
import type { InSession } from './client-call.ts';
import type { Collected } from './collect.ts';
import type { AnsweredError, Unanswered, UpstreamFailure } from './upstream-answer.ts';
import type { UpstreamCallDeps } from './upstream-calls.ts';

/** How one integration is spoken to for a client. */
export interface UpstreamSide {
  readonly era: Era;
  /** In the legacy era. */
  readonly session: AggregateSession | undefined;
}

type ClientSide = Pick<InSession, 'call' | 'caller' | 'application' | 'session'>;
type EraClient = Pick<ClientSide, 'call' | 'caller'>;

/** A route that a client may use, with its credential there. */
interface UsableRoute {
  readonly route: Route;
  readonly credential: ReadyCredential;
}

/**
 * What a legacy server learns about the modern clients of a token, which share a session there. A request that it makes of
 * one of them cannot be answered, but a URL can be passed on.
 */
const HELLO_OF_TOKEN: ClientHello = {
  protocolVersion: LAST_LEGACY_VERSION,
  capabilities: { elicitation: { url: {} } },
  clientInfo: { name: 'gatehouse', version: '1' },
};

/** The era and the session in which an integration is spoken to, by the eras that it speaks. */
export async function upstreamSide(
  { call, caller, application, session }: ClientSide,
  spoken: SpokenEras,
  { sessions }: Pick<UpstreamCallDeps['callDeps'], 'sessions'>,
): Promise<UpstreamSide> {
  const era = eraFor(spoken, call.era);
  if (era === call.era) return { era, session };
  if (era === 'modern') return { era, session: undefined };
  const { organizationId, id: applicationId } = application;
  const place = { organizationId, applicationId };
  const shared = await sessions.aggregates.ofToken(place, sessionCallerOf(caller), HELLO_OF_TOKEN);
  return { era, session: shared };
}

/**
 * The side of an integration that is called. One that cannot be found is spoken to in the client's era, and the call fails
 * there.
 */
export async function sideOfAttachment(
  client: ClientSide,
  { key }: Pick<AggregateAttachment, 'key'>,
  deps: UpstreamCallDeps,
): Promise<UpstreamSide> {
  const { routes } = deps.callDeps;
  const { organizationId } = client.application;
  let route: Route;
  try {
    route = routes.peek(organizationId, key) ?? (await routes.get(organizationId, key));
  } catch (error) {
    if (error instanceof ProblemError) return { era: client.call.era, session: client.session };
    throw error;
  }
  const spoken = await spokenTo(client, route, deps);
  return upstreamSide(client, spoken, deps.callDeps);
}

/**
 * The eras of an integration, which is asked for them where a modern client is the first to need them. For a legacy client
 * it is not asked: most servers speak its era, and the others refuse it.
 */
export function erasFor(
  { call, caller }: EraClient,
  { route, credential }: UsableRoute,
  { callDeps }: Pick<UpstreamCallDeps, 'callDeps'>,
): SpokenEras | Promise<SpokenEras> {
  const asker = { userId: subjectIdOf(caller), credential };
  return callDeps.eras.find(route, asker, call.era === 'modern' ? ['modern'] : []);
}

/** Like {@link erasFor}, with the credential of the client. */
function spokenTo(
  client: EraClient,
  route: Route,
  deps: UpstreamCallDeps,
): SpokenEras | Promise<SpokenEras> {
  const found = deps.callDeps.credentials.peek(route.target, subjectIdOf(client.caller));
  if (found?.kind === 'ready') return erasFor(client, { route, credential: found }, deps);
  const known = deps.callDeps.eras.known(route);
  if (client.call.era === 'legacy' || known.modern !== undefined) return known;
  return usableRoute(client, route, deps).then((usable) =>
    usable === undefined ? known : erasFor(client, usable, deps),
  );
}

/** Asks an integration that has refused this era. @returns whether it speaks only the other one */
export async function isOtherNow(
  client: EraClient,
  attachment: Pick<AggregateAttachment, 'key'>,
  refused: Era,
  deps: UpstreamCallDeps,
): Promise<boolean> {
  const usable = await usableRoute(client, attachment, deps);
  if (usable === undefined) return false;
  const { route, credential } = usable;
  const asker = { userId: subjectIdOf(client.caller), credential };
  return eraFor(await deps.callDeps.eras.ask(route, asker), refused) !== refused;
}

/** Undefined for one that may not be used any more, or without a credential: the call itself says so. */
async function usableRoute(
  { caller }: EraClient,
  { key }: Pick<AggregateAttachment, 'key'>,
  { callDeps }: Pick<UpstreamCallDeps, 'callDeps'>,
): Promise<UsableRoute | undefined> {
  const access = await readmitTo(callDeps, caller, key).catch(() => undefined);
  if (access?.credential.kind !== 'ready') return undefined;
  return { route: access.route, credential: access.credential };
}

/** Statuses of a server that does not take such a message: it has not executed it. */
const REFUSED: ReadonlySet<number> = new Set([400, 404, 405, 406, 415]);

/**
 * Whether a server that refuses a request like this may speak another era than the one it was spoken to in. Then it has not
 * executed the request.
 *
 * @param era in which the server was spoken to
 */
export function isRefusalOfEra(refused: Unanswered, era: Era): boolean {
  return refused.kind === 'error' ? isErrorOfEra(refused, era) : mayBeOfOtherEra(refused);
}

/** The same for a request that we made. */
export function mayBeOfOtherEra(failure: UpstreamFailure | Collected): boolean {
  if (failure.kind === 'problem') {
    return failure.problem instanceof NoSessionBegun && isVerdict(failure.problem);
  }
  return 'status' in failure && REFUSED.has(failure.status);
}

/** A modern server refuses with 400 and codes of its era; a legacy one with 400 other versions, and requests outside a session. */
function isErrorOfEra({ status, code }: AnsweredError, era: Era): boolean {
  if (status !== 400) return false;
  return era === 'legacy'
    ? MODERN_ERRORS.has(code)
    : code === UNSUPPORTED_VERSION || !MODERN_ERRORS.has(code);
}
