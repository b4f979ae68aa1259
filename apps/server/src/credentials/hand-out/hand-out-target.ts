import type { Integration } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database/store.ts';
import type { LeaseRoute } from '../../sessions/leases.ts';
import { type CredentialTarget, credentialTargetOf } from '../target.ts';

/** An attached integration, as of one read of its rows. */
export interface HandOutTarget extends LeaseRoute {
  readonly target: CredentialTarget;
  /** Of the configuration that the credential is for. */
  readonly validationEpoch: number;
}

type Row = Pick<
  Integration,
  'url' | 'category' | 'authMode' | 'oauth' | 'credentialSchema' | 'validationEpoch'
> & { readonly attachmentId: string };

/** By one indexed read. Unknown, foreign, detached and archived are not distinguished. */
export async function findHandOutTarget(
  db: Db,
  ids: Omit<LeaseRoute, 'attachmentId'>,
): Promise<HandOutTarget | undefined> {
  const { organizationId, applicationId, integrationId } = ids;
  const [row] = await db.$queryRaw<Row[]>`
    SELECT a."id" AS "attachmentId", i."url", i."category"::text AS "category",
      i."authMode"::text AS "authMode", i."oauth", i."credentialSchema", i."validationEpoch"
    FROM "Attachment" a
    JOIN "Application" p ON p."id" = a."applicationId" AND p."archivedAt" IS NULL
    JOIN "Integration" i ON i."id" = a."integrationId" AND i."archivedAt" IS NULL
    WHERE a."applicationId" = ${applicationId}::uuid AND a."integrationId" = ${integrationId}::uuid
      AND a."organizationId" = ${organizationId}::uuid`;
  if (row === undefined) return undefined;
  const { attachmentId, validationEpoch, ...integration } = row;
  const target = credentialTargetOf({ ...integration, organizationId, id: integrationId });
  return { ...ids, attachmentId, validationEpoch, target };
}

/**
 * Keeps attachment, integration and connection from being removed or changed until the transaction ends.
 *
 * @returns false if one of them is no longer as it was read
 */
export async function lockHandOutTarget(
  db: Db,
  { attachmentId, integrationId, validationEpoch, target }: HandOutTarget,
  connectionId: string | undefined,
): Promise<boolean> {
  const attached = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM "Attachment" a JOIN "Integration" i ON i."id" = a."integrationId"
    WHERE a."id" = ${attachmentId}::uuid AND i."id" = ${integrationId}::uuid
      AND i."archivedAt" IS NULL AND i."validationEpoch" = ${validationEpoch}
      AND i."category" = ${target.category}::"Category"
    FOR KEY SHARE OF a FOR SHARE OF i`;
  if (attached.length === 0) return false;
  if (connectionId === undefined) return true;
  const connected = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM "Connection" WHERE "id" = ${connectionId}::uuid FOR KEY SHARE`;
  return connected.length > 0;
}
