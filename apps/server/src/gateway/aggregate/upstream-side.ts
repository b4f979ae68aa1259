import type { ClientHello } from '../../mcp/client-hello.ts';
import { type Era, LAST_LEGACY_VERSION } from '../../mcp/era.ts';
import { isLegacySpoken, isModernSpoken, type SpokenEras } from '../../mcp/spoken-eras.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import type { AggregateSession } from '../../sessions/sessions.ts';
import { type RouteDeps, sessionCallerOf } from '../admission.ts';
import type { Route } from '../routes.ts';
import type { AggregateAttachment } from './applications.ts';
import type { InSession } from './client-call.ts';

/** How one integration is spoken to for a client. */
export interface UpstreamSide {
  readonly era: Era;
  /** In the legacy era. */
  readonly session: AggregateSession | undefined;
}

type ClientSide = Pick<InSession, 'call' | 'caller' | 'application' | 'session'>;

/**
 * What a legacy server learns about the modern clients of a token, which share a session there. A request that it makes of
 * one of them cannot be answered, but a URL can be passed on.
 */
const HELLO_OF_TOKEN: ClientHello = {
  protocolVersion: LAST_LEGACY_VERSION,
  capabilities: { elicitation: { url: {} } },
  clientInfo: { name: 'gatehouse', version: '1' },
};

/** The client's era, unless the integration is known to speak only the other one. */
export function eraFor(spoken: SpokenEras, client: Era): Era {
  if (client === 'modern') return isModernSpoken(spoken) ? 'modern' : 'legacy';
  return isLegacySpoken(spoken) ? 'legacy' : 'modern';
}

/** Synchronous but for the first request of modern clients of a token to a legacy integration. */
export function upstreamSide(
  { call, caller, application, session }: ClientSide,
  spoken: SpokenEras,
  { sessions }: Pick<RouteDeps, 'sessions'>,
): UpstreamSide | Promise<UpstreamSide> {
  const era = eraFor(spoken, call.era);
  if (era === call.era) return { era, session };
  if (era === 'modern') return { era, session: undefined };
  const { organizationId, id: applicationId } = application;
  const place = { organizationId, applicationId };
  const shared = sessions.aggregates.ofToken(place, sessionCallerOf(caller), HELLO_OF_TOKEN);
  return shared instanceof Promise
    ? shared.then((opened) => ({ era, session: opened }))
    : { era, session: shared };
}

/** The same for an integration that is called, by what is known of its eras; one that cannot be found is spoken to in the client's era, and fails there. */
export function sideOfAttachment(
  client: ClientSide,
  { key }: Pick<AggregateAttachment, 'key'>,
  deps: Pick<RouteDeps, 'routes' | 'sessions'>,
  spokenTo: (route: Route) => SpokenEras | Promise<SpokenEras>,
): UpstreamSide | Promise<UpstreamSide> {
  const { organizationId } = client.application;
  const spoken = (route: Route): UpstreamSide | Promise<UpstreamSide> => {
    const eras = spokenTo(route);
    if (!(eras instanceof Promise)) return upstreamSide(client, eras, deps);
    return eras.then((found) => upstreamSide(client, found, deps));
  };
  const unknown = (error: unknown): UpstreamSide => {
    if (error instanceof ProblemError) return { era: client.call.era, session: client.session };
    throw error;
  };
  try {
    const route = deps.routes.peek(organizationId, key);
    if (route !== undefined) return spoken(route);
  } catch (error) {
    return unknown(error);
  }
  return deps.routes.get(organizationId, key).then(spoken, unknown);
}
