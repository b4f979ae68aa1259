import type { Db } from '../../platform/database/store.ts';

/** Where a rule names a group: in the policy of an integration or of an attachment. */
export interface PolicyUse {
  readonly integrationId: string;
  readonly integrationName: string;
  readonly applicationId: string | null;
  readonly applicationName: string | null;
}

/** Integrations first. */
export function listPolicyUses(
  db: Db,
  organizationId: string,
  groupId: string,
  limit: number,
): Promise<PolicyUse[]> {
  return db.$queryRaw<PolicyUse[]>`
    SELECT u."integrationId", i."name" AS "integrationName", u."applicationId", a."name" AS "applicationName"
    FROM ((SELECT "integrationId", NULL::uuid AS "applicationId" FROM "IntegrationPolicy"
      WHERE "groupIds" @> ARRAY[${groupId}::uuid] AND "organizationId" = ${organizationId}::uuid
      LIMIT ${limit})
    UNION ALL
    (SELECT a."integrationId", a."applicationId"
      FROM "AttachmentPolicy" p JOIN "Attachment" a ON a."id" = p."attachmentId"
      WHERE p."groupIds" @> ARRAY[${groupId}::uuid] AND p."organizationId" = ${organizationId}::uuid
      LIMIT ${limit})
    LIMIT ${limit}) u
    JOIN "Integration" i ON i."id" = u."integrationId"
    LEFT JOIN "Application" a ON a."id" = u."applicationId"
    ORDER BY u."applicationId" IS NOT NULL, i."id", a."id"`;
}
