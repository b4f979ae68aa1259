import { sessionCallerOf } from '../../admission.ts';
import type { AggregateAttachment } from '../applications.ts';
import type { InSession } from '../client-call.ts';
import type { UpstreamCallDeps } from '../upstream-calls.ts';

/** Whether a session with the integration has begun, as far as this node knows. */
export function hasSession(
  { session, application, caller }: InSession,
  { key }: AggregateAttachment,
  { routeDeps }: UpstreamCallDeps,
): boolean {
  const { routes, sessions } = routeDeps;
  try {
    const route = routes.peek(application.organizationId, key);
    if (route === undefined || session === undefined) return false;
    return sessions.peekAggregated(route, sessionCallerOf(caller), session.id) !== undefined;
  } catch {
    return false;
  }
}
