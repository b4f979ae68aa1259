import { isAdmin, type PersonCaller } from '../../identity/caller.ts';
import type { SessionsFilter } from '../../sessions/find-sessions.ts';

/** What a request asks for, as the contract parses it. */
export type SessionsWanted = Omit<SessionsFilter, 'organizationId'>;

/**
 * The sessions that the caller may see and end among those of a filter: a member their own. Undefined where
 * a member asks for those of another.
 */
export function ownAmong(
  actor: PersonCaller,
  { applicationId, integrationId, userId, kind, state }: SessionsWanted,
): SessionsFilter | undefined {
  const { organizationId } = actor;
  const wanted = { organizationId, applicationId, integrationId, kind, state };
  if (isAdmin(actor)) return { ...wanted, userId };
  if (userId !== undefined && userId !== actor.userId) return undefined;
  return { ...wanted, userId: actor.userId };
}
