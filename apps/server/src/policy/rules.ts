import {
  hasNameRules,
  hasPeopleRules,
  type PolicyLevel,
  type PolicyLevelName,
  type PolicyRules,
  policySchema,
} from '@gatehouse/contract';
import { Prisma } from '../generated/prisma/client.ts';
import { fromStored } from './stored-rules.ts';

/** The rules that bind one attachment, as {@link policyColumns} reads them; null where there are no rules. */
export interface PolicyRow {
  readonly integrationRules: unknown;
  readonly applicationRules: unknown;
  readonly attachmentRules: unknown;
}

/** Replaces stored rules that are not an object: some would otherwise look like no rules. */
const UNREADABLE = Prisma.sql`'"unreadable"'::jsonb`;

function objectOf(rules: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    CASE WHEN jsonb_typeof(${rules}) <> 'object' THEN ${UNREADABLE} ELSE ${rules} END`;
}

const integrationRules = Prisma.sql`
  CASE WHEN jsonb_typeof(ip."rules") <> 'object'
      OR jsonb_typeof(ip."rules" -> 'perApplication') <> 'object' THEN ${UNREADABLE}
    ELSE ip."rules" - 'perApplication'::text END`;

/** Rules for other applications are not read: there may be many. */
const applicationRules = objectOf(
  Prisma.sql`ip."rules" -> 'perApplication' -> a."applicationId"::text`,
);

/** What a statement selects to get a {@link PolicyRow}, with {@link policyJoins}. */
export const policyColumns = policyColumnsAs((rules) => rules);

/** The same, with the stored rules of each level replaced by what `shape` makes of them. */
export function policyColumnsAs(shape: (rules: Prisma.Sql) => Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    ${shape(integrationRules)} AS "integrationRules",
    ${shape(applicationRules)} AS "applicationRules",
    ${shape(objectOf(Prisma.sql`ap."rules"`))} AS "attachmentRules"`;
}

/** The joins for {@link policyColumns}, in a statement where the attachment is `a`. */
export const policyJoins = Prisma.sql`
  LEFT JOIN "IntegrationPolicy" ip ON ip."integrationId" = a."integrationId"
  LEFT JOIN "AttachmentPolicy" ap ON ap."attachmentId" = a."id"`;

/**
 * The levels that restrict anything, in the order in which they are judged; undefined if nothing is restricted.
 * Rules that cannot be read, or have a field or format that only a later version knows, refuse everything.
 */
export function levelsOf(row: PolicyRow): readonly PolicyLevel[] | undefined {
  const levels = [
    ...levelOf('integration', row.integrationRules),
    ...levelOf('application', row.applicationRules),
    ...levelOf('attachment', row.attachmentRules),
  ];
  return levels.length === 0 ? undefined : levels;
}

function levelOf(level: PolicyLevelName, stored: unknown): readonly PolicyLevel[] {
  if (stored === null) return [];
  const rules: PolicyRules = fromStored(policySchema, stored) ?? REFUSE_ALL;
  return hasPeopleRules(rules) || hasNameRules(rules) ? [{ level, rules }] : [];
}

const NOTHING = { allow: [] };
const REFUSE_ALL: PolicyRules = {
  roles: [],
  tools: NOTHING,
  prompts: NOTHING,
  resources: NOTHING,
};
