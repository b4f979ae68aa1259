import { decidePeople, type EventRequest, policyMessage } from '@gatehouse/contract';
import type { PersonCaller } from '../identity/caller.ts';
import { requireConsoleCaller } from '../identity/console-caller.ts';
import type { ConsoleToken } from '../identity/console-tokens.ts';
import { type GatewayUrl, issueConsoleAccess } from '../identity/grants/console-grant.ts';
import { parseResource } from '../identity/resource.ts';
import type { Db, Store } from '../platform/database/store.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { levelsOf, type PolicyRow, policyColumns, policyJoins } from '../policy/rules.ts';

export interface GatewayAccessDeps {
  readonly store: Store;
  /** Our origin. */
  readonly publicUrl: string;
}

/**
 * A token of the person who is signed in by the session, for one gateway URL.
 *
 * @throws ProblemError `validation_failed` for a resource that is no gateway URL, `unauthenticated`, `not_found`,
 *   `not_proxied`, `policy_refused`
 */
export function issueGatewayAccess(
  { store, publicUrl }: GatewayAccessDeps,
  sessionId: string,
  resource: string,
  request: EventRequest,
): Promise<ConsoleToken> {
  const url = requireGatewayUrl(publicUrl, resource);
  return store.transaction(async (tx) => {
    const claims = { sessionId, expiresAt: null };
    const person = await requireConsoleCaller(tx.db, claims, { lock: true });
    const integrationIds = await requireUsableUrl(tx.db, person, url);
    return issueConsoleAccess(tx, publicUrl, { ...person, request }, { url, integrationIds });
  });
}

function requireGatewayUrl(publicUrl: string, uri: string): GatewayUrl {
  const resource = parseResource(publicUrl, uri);
  if (resource !== undefined && resource.kind !== 'management') return resource;
  const message = 'Must be the gateway URL of an application, or of an integration in one.';
  throw new ProblemError('validation_failed', 'The body is not valid.', {
    errors: [{ pointer: '/resource', code: 'invalid', message }],
  });
}

interface AttachmentRow extends PolicyRow {
  readonly category: string;
}

/**
 * Whether the person may call the URL at this moment, by the rules of the gateway, which decides again at each call, at
 * the one URL of an application for each of its integrations. Locks the application, so that whatever takes the URL away
 * finds what is written after this.
 *
 * @returns the integrations behind the URL
 * @throws ProblemError `not_found` also for a foreign, archived or detached one, `not_proxied`, `policy_refused`
 */
async function requireUsableUrl(db: Db, person: PersonCaller, url: GatewayUrl): Promise<string[]> {
  const { applicationId } = url;
  const [application] = await db.$queryRaw<{ hasOneUrl: boolean }[]>`
    SELECT "aggregateMode" <> 'off' AS "hasOneUrl" FROM "Application"
    WHERE "id" = ${applicationId}::uuid AND "organizationId" = ${person.organizationId}::uuid
      AND "archivedAt" IS NULL
    FOR KEY SHARE`;
  if (application === undefined) throw noSuchUrl();
  if (url.kind === 'pair') {
    await requireUsablePair(db, person, url);
    return [url.integrationId];
  }
  if (!application.hasOneUrl) throw noSuchUrl();
  return findProxied(db, applicationId);
}

async function requireUsablePair(
  db: Db,
  person: PersonCaller,
  { applicationId, integrationId }: Extract<GatewayUrl, { kind: 'pair' }>,
): Promise<void> {
  const [row] = await db.$queryRaw<AttachmentRow[]>`
    SELECT i."category"::text AS "category", ${policyColumns}
    FROM "Attachment" a
    JOIN "Integration" i ON i."id" = a."integrationId" AND i."archivedAt" IS NULL
    ${policyJoins}
    WHERE a."applicationId" = ${applicationId}::uuid AND a."integrationId" = ${integrationId}::uuid`;
  if (row === undefined) throw noSuchUrl();
  if (row.category !== 'gateway_remote_mcp') {
    throw new ProblemError('not_proxied', 'MCP traffic of this integration is not proxied.');
  }
  const reasons = decidePeople(levelsOf(row) ?? [], person);
  if (reasons.length === 0) return;
  throw new ProblemError('policy_refused', policyMessage(reasons), { reasons });
}

async function findProxied(db: Db, applicationId: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT i."id" FROM "Attachment" a
    JOIN "Integration" i ON i."id" = a."integrationId" AND i."archivedAt" IS NULL
    WHERE a."applicationId" = ${applicationId}::uuid AND i."category" = 'gateway_remote_mcp'
    ORDER BY a."createdAt", a."id"`;
  return rows.map(({ id }) => id);
}

function noSuchUrl(): ProblemError {
  return new ProblemError(
    'not_found',
    'This gateway URL does not exist: its application or integration may be archived, detached or mistyped.',
  );
}
