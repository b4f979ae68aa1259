import type { EventRequest } from '@gatehouse/contract';
import type { Actor } from '../../identity/actor.ts';
import { endGrant } from '../../identity/grants/end-grant.ts';
import type { Store } from '../../platform/database/store.ts';
import { revokeSessionsOfToken } from '../../sessions/revocation.ts';

interface Ended {
  readonly id: string;
  readonly organizationId: string;
  readonly applicationId: string;
  /** Null in both for a token of the application itself. */
  readonly userId: string | null;
  readonly grantId: string | null;
}

/**
 * Ends one access token; its grant stays. Announced as a change of the grant or application that callers
 * know as the bearer, so that every node forgets the caller and looks at its open calls again.
 *
 * @param request of the client, which has the token
 */
export async function revokeAccessToken(
  store: Store,
  hash: Buffer<ArrayBuffer>,
  request: EventRequest,
): Promise<void> {
  await store.transaction(async ({ db, announce, record }) => {
    await db.$queryRaw`
      SELECT 1 FROM "Grant"
      WHERE "id" = (SELECT "grantId" FROM "OauthToken" WHERE "hash" = ${hash}) FOR UPDATE`;
    const [ended] = await db.$queryRaw<Ended[]>`
      DELETE FROM "OauthToken" WHERE "hash" = ${hash} AND "kind" = 'access'
      RETURNING "id", "organizationId", "applicationId", "userId", "grantId"`;
    if (ended === undefined) return;
    announce({ kind: 'token', id: ended.grantId ?? ended.applicationId });
    record({ action: 'token.revoked', actor: bearerOf(ended, request), targetId: ended.id });
  });
}

/** Whom the client acts for. */
function bearerOf(
  { organizationId, applicationId, userId, grantId }: Ended,
  request: EventRequest,
): Actor {
  if (userId === null || grantId === null) {
    const via = { kind: 'client_credentials' } as const;
    return { kind: 'application', organizationId, applicationId, via, request };
  }
  const via = { kind: 'grant', id: grantId, applicationId } as const;
  return { kind: 'person', organizationId, userId, via, request };
}

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
