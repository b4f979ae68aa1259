import { limits } from '@gatehouse/contract';
import type { Db } from '../../platform/database/store.ts';

/** Where a rule names a group: in the policy of an integration or of an attachment. */
export interface PolicyUse {
  readonly integrationId: string;
  readonly applicationId: string | null;
}

/** As many uses as fit in a problem, integrations first. */
export function listPolicyUses(
  db: Db,
  organizationId: string,
  groupId: string,
): Promise<PolicyUse[]> {
  return db.$queryRaw<PolicyUse[]>`
    (SELECT "integrationId", NULL::uuid AS "applicationId" FROM "IntegrationPolicy"
      WHERE "groupIds" @> ARRAY[${groupId}::uuid] AND "organizationId" = ${organizationId}::uuid
      LIMIT ${limits.problemErrors})
    UNION ALL
    (SELECT a."integrationId", a."applicationId"
      FROM "AttachmentPolicy" p JOIN "Attachment" a ON a."id" = p."attachmentId"
      WHERE p."groupIds" @> ARRAY[${groupId}::uuid] AND p."organizationId" = ${organizationId}::uuid
      LIMIT ${limits.problemErrors})
    LIMIT ${limits.problemErrors}`;
}
