import { decidePeople, policyMessage } from '@gatehouse/contract';
import type { PersonCaller } from '../identity/caller.ts';
import type { Pair } from '../identity/grants/console-grant.ts';
import type { Db } from '../platform/database/store.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { levelsOf, type PolicyRow, policyColumns, policyJoins } from '../policy/rules.ts';

interface AttachmentRow extends PolicyRow {
  readonly category: string;
}

/**
 * Whether the person may call the pair at this moment, by the rules of the gateway, which decides again at each call.
 * Locks the application, so that whatever takes the pair away finds what is written after this.
 *
 * @throws ProblemError `not_found` also for a foreign, archived or detached one, `not_proxied`, `policy_refused`
 */
export async function requireUsablePair(
  db: Db,
  person: PersonCaller,
  { applicationId, integrationId }: Pair,
): Promise<void> {
  const locked = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM "Application"
    WHERE "id" = ${applicationId}::uuid AND "organizationId" = ${person.organizationId}::uuid
      AND "archivedAt" IS NULL
    FOR KEY SHARE`;
  if (locked.length === 0) throw noSuchPair();
  const [row] = await db.$queryRaw<AttachmentRow[]>`
    SELECT i."category"::text AS "category", ${policyColumns}
    FROM "Attachment" a
    JOIN "Integration" i ON i."id" = a."integrationId" AND i."archivedAt" IS NULL
    ${policyJoins}
    WHERE a."applicationId" = ${applicationId}::uuid AND a."integrationId" = ${integrationId}::uuid`;
  if (row === undefined) throw noSuchPair();
  if (row.category !== 'gateway_remote_mcp') {
    throw new ProblemError('not_proxied', 'MCP traffic of this integration is not proxied.');
  }
  const reasons = decidePeople(levelsOf(row) ?? [], person);
  if (reasons.length === 0) return;
  throw new ProblemError('policy_refused', policyMessage(reasons), { reasons });
}

function noSuchPair(): ProblemError {
  return new ProblemError(
    'not_found',
    'This gateway URL does not exist: its application or integration may be archived, detached or mistyped.',
  );
}
