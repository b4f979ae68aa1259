import type { Actor } from '../../identity/actor.ts';
import { endGrant } from '../../identity/grants/end-grant.ts';
import type { Store } from '../../platform/database/store.ts';
import { revokeSessionsOfToken } from '../../sessions/revocation.ts';

/** Ends a grant, with its tokens and the sessions that are its activity. Does nothing if it is over. */
export async function revokeGrant(
  store: Store,
  { id, organizationId }: { readonly id: string; readonly organizationId: string },
  actor: Actor,
): Promise<void> {
  await store.transaction(async (tx) => {
    if (await endGrant(tx, { organizationId }, id, actor)) await revokeSessionsOfToken(tx, id);
  });
}
