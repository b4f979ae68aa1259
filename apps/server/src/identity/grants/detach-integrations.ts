import type { Tx } from '../../platform/database/store.ts';
import { resourceUriOf } from '../resource.ts';
import { announceEnded } from './end-grant.ts';

/**
 * Takes integrations from the grants of their application: a grant left without a resource ends. Tokens
 * for them alone end, and consents to them are forgotten. The caller has locked the application and
 * announces it.
 *
 * @returns the ids of the ended grants
 */
export async function detachFromGrants(
  tx: Tx,
  { id: applicationId, publicUrl }: { readonly id: string; readonly publicUrl: string },
  integrationIds: readonly string[],
): Promise<string[]> {
  const ids = [...integrationIds];
  const urls = ids.map((integrationId) =>
    resourceUriOf(publicUrl, { kind: 'pair', applicationId, integrationId }),
  );
  const ended = await tx.db.$queryRaw<{ id: string }[]>`
    DELETE FROM "Grant"
    WHERE "applicationId" = ${applicationId}::uuid AND "resources" <@ ${urls}::text[]
    RETURNING "id"`;
  await tx.db.$executeRaw`
    UPDATE "Grant" SET
      "resources" = ARRAY(
        SELECT r."url" FROM unnest("resources") WITH ORDINALITY r("url", "place")
        WHERE r."url" <> ALL(${urls}::text[]) ORDER BY r."place"),
      "integrationIds" = ARRAY(
        SELECT i FROM unnest("integrationIds") i WHERE i <> ALL(${ids}::uuid[]))
    WHERE "applicationId" = ${applicationId}::uuid
      AND ("resources" && ${urls}::text[] OR "integrationIds" && ${ids}::uuid[])`;
  await tx.db.$executeRaw`
    DELETE FROM "OauthToken"
    WHERE "applicationId" = ${applicationId}::uuid AND "audience" = ANY(${urls}::text[])`;
  await tx.db.$executeRaw`
    DELETE FROM "Consent"
    WHERE "applicationId" = ${applicationId}::uuid AND "resources" && ${urls}::text[]`;
  const grantIds = ended.map(({ id }) => id);
  announceEnded(tx, grantIds);
  return grantIds;
}
