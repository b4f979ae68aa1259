import type { Store } from '../../platform/database/store.ts';

/**
 * Ends one access token; its grant stays. Announced as a change of the grant or application that callers
 * know as the bearer, so that every node forgets the caller and looks at its open calls again.
 */
export async function revokeAccessToken(store: Store, hash: Buffer<ArrayBuffer>): Promise<void> {
  await store.transaction(async ({ db, announce }) => {
    await db.$queryRaw`
      SELECT 1 FROM "Grant"
      WHERE "id" = (SELECT "grantId" FROM "OauthToken" WHERE "hash" = ${hash}) FOR UPDATE`;
    const [ended] = await db.$queryRaw<{ readonly bearerId: string }[]>`
      DELETE FROM "OauthToken" WHERE "hash" = ${hash} AND "kind" = 'access'
      RETURNING COALESCE("grantId", "applicationId")::text AS "bearerId"`;
    if (ended !== undefined) announce({ kind: 'token', id: ended.bearerId });
  });
}
