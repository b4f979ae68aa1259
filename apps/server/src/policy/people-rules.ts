import type { PolicyCaller } from '@gatehouse/contract';
import { Prisma } from '../generated/prisma/client.ts';
import { policyColumnsAs } from './rules.ts';

/** The person that a decision is for. */
export type PolicyPerson = Extract<PolicyCaller, { kind: 'person' }>;

/**
 * Selects a `PolicyRow` like `policyColumns`, for decisions about one person on many attachments. Rules may be a megabyte
 * long, so of the people and groups that they name only this person and their groups are read, and no names of tools,
 * prompts and resources. `decidePeople` decides the same with them. A field that is unknown or of a wrong type stays, and
 * refuses everything; only an invalid name or id goes unnoticed.
 */
export function peopleColumnsFor({ userId, groupIds }: PolicyPerson): Prisma.Sql {
  const own = JSON.stringify([userId, ...groupIds]);
  return policyColumnsAs((rules) => narrowed(rules, Prisma.sql`${own}::jsonb`));
}

function narrowed(rules: Prisma.Sql, own: Prisma.Sql): Prisma.Sql {
  // OFFSET keeps the planner from reading long rules once for each mention.
  return Prisma.sql`
    (SELECT CASE WHEN jsonb_typeof(r."rules") <> 'object' THEN r."rules"
      ELSE (SELECT COALESCE(jsonb_object_agg(f."key", ${narrowedField(own)}), '{}'::jsonb)
        FROM jsonb_each(r."rules") f) END
      FROM (SELECT ${rules} AS "rules" OFFSET 0) r WHERE r."rules" IS NOT NULL)`;
}

function narrowedField(own: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    CASE
      WHEN f."key" IN ('groups', 'userIds') AND jsonb_typeof(f."value") = 'array' THEN
        (SELECT COALESCE(jsonb_agg(e."value"), '[]'::jsonb) FROM jsonb_array_elements(f."value") e
          WHERE jsonb_typeof(e."value") <> 'string' OR ${own} @> e."value")
      WHEN jsonb_typeof(f."value") = 'object' THEN
        (SELECT COALESCE(jsonb_object_agg(n."key",
            CASE WHEN jsonb_typeof(n."value") = 'array' THEN '[]'::jsonb ELSE n."value" END), '{}'::jsonb)
          FROM jsonb_each(f."value") n)
      ELSE f."value" END`;
}
