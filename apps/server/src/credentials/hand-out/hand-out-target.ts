import { isDeepStrictEqual } from 'node:util';
import type { PolicyLevel } from '@gatehouse/contract';
import type { Integration } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database/store.ts';
import { levelsOf, type PolicyRow, policyColumns, policyJoins } from '../../policy/rules.ts';
import type { LeaseRoute } from '../../sessions/leases.ts';
import { type CredentialTarget, credentialTargetOf } from '../target.ts';

/** An attached integration, as of one read of its rows. */
export interface HandOutTarget extends LeaseRoute {
  readonly target: CredentialTarget;
  /** The epoch of the configuration that the credential is for. */
  readonly validationEpoch: number;
  /** The rules that apply to it. */
  readonly levels: readonly PolicyLevel[];
}

type Row = Pick<
  Integration,
  'url' | 'category' | 'authMode' | 'oauth' | 'credentialSchema' | 'validationEpoch'
> &
  PolicyRow & { readonly attachmentId: string };

/** One indexed read. Undefined if the integration is unknown, foreign, detached or archived, without distinction. */
export async function findHandOutTarget(
  db: Db,
  ids: Omit<LeaseRoute, 'attachmentId'>,
): Promise<HandOutTarget | undefined> {
  const { organizationId, applicationId, integrationId } = ids;
  const [row] = await db.$queryRaw<Row[]>`
    SELECT a."id" AS "attachmentId", i."url", i."category"::text AS "category",
      i."authMode"::text AS "authMode", i."oauth", i."credentialSchema", i."validationEpoch",
      ${policyColumns}
    FROM "Attachment" a
    JOIN "Application" p ON p."id" = a."applicationId" AND p."archivedAt" IS NULL
    JOIN "Integration" i ON i."id" = a."integrationId" AND i."archivedAt" IS NULL
    ${policyJoins}
    WHERE a."applicationId" = ${applicationId}::uuid AND a."integrationId" = ${integrationId}::uuid
      AND a."organizationId" = ${organizationId}::uuid`;
  if (row === undefined) return undefined;
  const { attachmentId, validationEpoch, ...integration } = row;
  const target = credentialTargetOf({ ...integration, organizationId, id: integrationId });
  const levels = levelsOf(row) ?? [];
  return { ...ids, attachmentId, validationEpoch, levels, target };
}

/**
 * Locks attachment, integration, their rules and the connection, so that they stay as they are until the transaction ends.
 *
 * @returns false if one of them has changed since it was read
 */
export async function lockHandOutTarget(
  db: Db,
  target: HandOutTarget,
  connectionId: string | undefined,
): Promise<boolean> {
  await db.$queryRaw`
    SELECT 1 FROM "Attachment" a JOIN "Integration" i ON i."id" = a."integrationId"
    WHERE a."id" = ${target.attachmentId}::uuid FOR KEY SHARE OF a FOR SHARE OF i`;
  const { organizationId, applicationId, integrationId } = target;
  const present = await findHandOutTarget(db, { organizationId, applicationId, integrationId });
  if (!isDeepStrictEqual(present, target)) return false;
  if (connectionId === undefined) return true;
  const connected = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM "Connection" WHERE "id" = ${connectionId}::uuid FOR KEY SHARE`;
  return connected.length > 0;
}
