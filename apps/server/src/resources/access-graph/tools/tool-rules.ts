import { hash } from 'node:crypto';
import { isJsonObject } from '@gatehouse/contract';
import { Prisma } from '../../../generated/prisma/client.ts';
import type { Db } from '../../../platform/database/store.ts';
import { type PolicyRow, policyColumnsAs, policyJoins } from '../../../policy/rules.ts';

/** The rules about tools of an attachment, by its id. */
interface ToolRules extends PolicyRow {
  readonly id: string;
}

/** A field that only a later version knows may be about tools too. */
const ABOUT_OTHERS: readonly string[] = ['roles', 'groups', 'userIds', 'prompts', 'resources'];

/** Whether any level may have rules about tools. */
export function hasToolRules(row: PolicyRow): boolean {
  return levelsIn(row).some(
    (rules) => rules !== null && (!isJsonObject(rules) || Object.keys(rules).some(canBeAboutTools)),
  );
}

const canBeAboutTools = (field: string) => !ABOUT_OTHERS.includes(field);

/** The same for rules that are equal. */
export function keyOf(row: PolicyRow): string {
  return hash('sha256', JSON.stringify(levelsIn(row)), 'base64');
}

function levelsIn({ integrationRules, applicationRules, attachmentRules }: PolicyRow): unknown[] {
  return [integrationRules, applicationRules, attachmentRules];
}

/** The rules about tools of some attachments. Those of one may be 400 kB long. */
export function listToolRules(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<ToolRules[]> {
  return db.$queryRaw<ToolRules[]>`
    SELECT a."id", ${policyColumnsAs(aboutTools)} FROM "Attachment" a ${policyJoins}
    WHERE a."id" = ANY(${[...ids]}::uuid[]) AND a."organizationId" = ${organizationId}::uuid`;
}

/** Fields that are unknown stay, and refuse everything. */
function aboutTools(rules: Prisma.Sql): Prisma.Sql {
  // OFFSET keeps the planner from reading long rules once for each mention.
  return Prisma.sql`
    (SELECT CASE WHEN jsonb_typeof(r."rules") <> 'object' THEN r."rules"
      ELSE r."rules" - ${[...ABOUT_OTHERS]}::text[] END
      FROM (SELECT ${rules} AS "rules" OFFSET 0) r WHERE r."rules" IS NOT NULL)`;
}
