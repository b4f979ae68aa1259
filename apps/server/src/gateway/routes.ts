import type { CredentialTarget } from '../credentials/outcome.ts';
import type { AuthMode, Category } from '../generated/prisma/enums.ts';
import type { Loaded } from '../platform/changes/cache.ts';
import { createCache } from '../platform/changes/create-cache.ts';
import type { Store } from '../platform/database/store.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { SessionRoute } from '../sessions/sessions.ts';

/** Where a gateway URL leads, as the rows said when they were last read. */
export interface Route extends SessionRoute {
  readonly target: CredentialTarget;
  /** Path and query of the integration's URL: the client's own query is not forwarded. */
  readonly path: string;
}

type Snapshot = Route | { readonly refused: 'not_found' | 'not_proxied' };

interface RouteRow {
  readonly attachmentId: string;
  readonly isArchived: boolean;
  readonly url: string;
  readonly category: Category;
  readonly authMode: AuthMode;
  readonly oauth: unknown;
  readonly credentialSchema: unknown;
}

export interface Routes {
  /** @throws ProblemError `not_found`, `not_proxied` */
  peek(organizationId: string, key: string): Route | undefined;
  /** One indexed read at most. @throws ProblemError `not_found`, `not_proxied` */
  get(organizationId: string, key: string): Promise<Route>;
  close(): void;
}

const MAX_HELD = 20_000;

/** @see routeKeyOf for the key. Unknown, foreign, detached and archived all look the same. */
export function createRoutes(store: Store): Routes {
  const cache = createCache<Snapshot>({ changes: store.changes, maxEntries: MAX_HELD });
  return {
    peek(organizationId, key) {
      const snapshot = cache.peek(organizationId + key);
      return snapshot === undefined ? undefined : requireRoute(snapshot);
    },
    async get(organizationId, key) {
      const load = () => loadRoute(store, organizationId, key);
      return requireRoute(await cache.get(organizationId + key, load));
    },
    close: () => cache.close(),
  };
}

function requireRoute(snapshot: Snapshot): Route {
  if (!('refused' in snapshot)) return snapshot;
  if (snapshot.refused === 'not_found') {
    throw new ProblemError(
      'not_found',
      'No gateway URL of yours is here: its application or integration may be archived, detached or mistyped.',
    );
  }
  throw new ProblemError('not_proxied', 'MCP traffic of this integration is not proxied.');
}

async function loadRoute(
  { db }: Store,
  organizationId: string,
  key: string,
): Promise<Loaded<Snapshot>> {
  const [applicationId = '', integrationId = ''] = key.split('/');
  const [row] = await db.$queryRaw<RouteRow[]>`
    SELECT a."id" AS "attachmentId",
      (p."archivedAt" IS NOT NULL OR i."archivedAt" IS NOT NULL) AS "isArchived",
      i."url", i."category"::text AS "category", i."authMode"::text AS "authMode",
      i."oauth", i."credentialSchema"
    FROM "Attachment" a
    JOIN "Application" p ON p."id" = a."applicationId"
    JOIN "Integration" i ON i."id" = a."integrationId"
    WHERE a."applicationId" = ${applicationId}::uuid AND a."integrationId" = ${integrationId}::uuid
      AND a."organizationId" = ${organizationId}::uuid`;
  return {
    value: snapshotOf({ organizationId, applicationId, integrationId }, row),
    dependsOn: [
      { kind: 'application', id: applicationId },
      { kind: 'integration', id: integrationId },
    ],
  };
}

function snapshotOf(
  ids: Pick<Route, 'organizationId' | 'applicationId' | 'integrationId'>,
  row: RouteRow | undefined,
): Snapshot {
  if (row === undefined || row.isArchived) return { refused: 'not_found' };
  if (row.category !== 'gateway_remote_mcp') return { refused: 'not_proxied' };
  const { url, category, authMode, credentialSchema, attachmentId } = row;
  const { organizationId, integrationId } = ids;
  const { origin, pathname, search } = new URL(url);
  const oauthIssuer = textIn(row.oauth, 'issuer');
  const oauthClientId = textIn(row.oauth, 'clientId');
  const integration = { organizationId, integrationId, url, category, authMode, credentialSchema };
  return {
    ...ids,
    attachmentId,
    destination: origin,
    path: pathname + search,
    target: { ...integration, oauthIssuer, oauthClientId },
  };
}

function textIn(value: unknown, key: 'issuer' | 'clientId'): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const text: unknown = Reflect.get(value, key);
  return typeof text === 'string' ? text : undefined;
}
