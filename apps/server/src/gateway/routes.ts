import { hash } from 'node:crypto';
import {
  hasDefinitionRules,
  hasNameRules,
  hasPeopleRules,
  hasRulesOf,
  type NameKind,
  nameKinds,
  type PolicyLevel,
} from '@gatehouse/contract';
import { type CredentialTarget, credentialTargetOf } from '../credentials/target.ts';
import type { Integration } from '../generated/prisma/client.ts';
import { type LevelLimits, levelLimitsOf } from '../limits/levels.ts';
import { readSpokenEras, type SpokenEras } from '../mcp/spoken-eras.ts';
import { createCache, type Loaded } from '../platform/changes/create-cache.ts';
import type { Store } from '../platform/database/store.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { levelsOf, type PolicyRow, policyColumns, policyJoins } from '../policy/rules.ts';
import type { SessionRoute } from '../sessions/sessions.ts';
import type { Inbound } from './inbound.ts';
import { loopDetected } from './problems.ts';

/** What a gateway URL leads to, as of the last read of its rows. */
export interface Route extends SessionRoute {
  /** In `Routes`. */
  readonly key: string;
  /** Undefined where no rules are set. */
  readonly policy: RoutePolicy | undefined;
  /** Undefined where nothing is limited. */
  readonly limits: readonly LevelLimits[] | undefined;
  readonly target: CredentialTarget;
  readonly integrationName: string;
  /** As far as it is known. */
  readonly spokenEras: SpokenEras;
  /** Marks what goes up, so that a call that comes back is recognized. */
  readonly loopMark: string;
  /** Path and query of the integration's URL: the client's own query is not forwarded. */
  readonly path: string;
}

type RouteOrRefusal = Route | { readonly refused: 'not_found' | 'not_proxied' };

type IntegrationColumn =
  | 'name'
  | 'url'
  | 'category'
  | 'authMode'
  | 'oauth'
  | 'credentialSchema'
  | 'spokenEras'
  | 'toolsReviewedAt';

interface RouteRow extends Pick<Integration, IntegrationColumn>, PolicyRow {
  readonly attachmentId: string;
  readonly isArchived: boolean;
  readonly callsPerMinute: number | null;
  readonly concurrentCalls: number | null;
}

export interface Routes {
  /** @throws ProblemError `not_found`, `not_proxied` */
  peek(organizationId: string, key: string): Route | undefined;
  /** At most one indexed read. @throws ProblemError `not_found`, `not_proxied` */
  get(organizationId: string, key: string): Promise<Route>;
  close(): void;
}

const MAX_CACHED = 20_000;

/** The key comes from `pairKeyOf`. Unknown, foreign, detached and archived are not distinguished. */
export function createRoutes(store: Store): Routes {
  const cache = createCache<RouteOrRefusal>({ changes: store.changes, maxEntries: MAX_CACHED });
  return {
    peek(organizationId, key) {
      const found = cache.peek(organizationId + key);
      return found === undefined ? undefined : requireRoute(found);
    },
    async get(organizationId, key) {
      const load = () => loadRoute(store, organizationId, key);
      return requireRoute(await cache.get(organizationId + key, load));
    },
    close: () => cache.close(),
  };
}

function requireRoute(found: RouteOrRefusal): Route {
  if (!('refused' in found)) return found;
  if (found.refused === 'not_found') {
    throw new ProblemError(
      'not_found',
      'This gateway URL does not exist: its application or integration may be archived, detached or mistyped.',
    );
  }
  throw new ProblemError('not_proxied', 'MCP traffic of this integration is not proxied.');
}

async function loadRoute(
  { db }: Store,
  organizationId: string,
  key: string,
): Promise<Loaded<RouteOrRefusal>> {
  const [applicationId = '', integrationId = ''] = key.split('/');
  const [row] = await db.$queryRaw<RouteRow[]>`
    SELECT a."id" AS "attachmentId",
      (p."archivedAt" IS NOT NULL OR i."archivedAt" IS NOT NULL) AS "isArchived",
      i."name", i."url", i."category"::text AS "category", i."authMode"::text AS "authMode",
      i."oauth", i."credentialSchema", i."spokenEras", i."toolsReviewedAt",
      p."callsPerMinute", p."concurrentCalls",
      ${policyColumns}
    FROM "Attachment" a
    JOIN "Application" p ON p."id" = a."applicationId"
    JOIN "Integration" i ON i."id" = a."integrationId"
    ${policyJoins}
    WHERE a."applicationId" = ${applicationId}::uuid AND a."integrationId" = ${integrationId}::uuid
      AND a."organizationId" = ${organizationId}::uuid`;
  return {
    value: routeOrRefusalOf({ organizationId, applicationId, integrationId }, row),
    dependsOn: [
      { kind: 'application', id: applicationId },
      { kind: 'integration', id: integrationId },
    ],
  };
}

function routeOrRefusalOf(
  ids: Pick<Route, 'organizationId' | 'applicationId' | 'integrationId'>,
  row: RouteRow | undefined,
): RouteOrRefusal {
  if (row === undefined || row.isArchived) return { refused: 'not_found' };
  if (row.category !== 'gateway_remote_mcp') return { refused: 'not_proxied' };
  const { origin, pathname, search } = new URL(row.url);
  return {
    ...ids,
    key: `${ids.applicationId}/${ids.integrationId}`,
    policy: routePolicyOf(levelsOf(row), row.toolsReviewedAt),
    limits: levelLimitsOf({ ...row, ...ids }),
    attachmentId: row.attachmentId,
    destination: origin,
    integrationName: row.name,
    spokenEras: readSpokenEras(row.spokenEras, row.url),
    loopMark: loopMarkOf(ids.organizationId),
    path: pathname + search,
    target: credentialTargetOf({
      ...row,
      organizationId: ids.organizationId,
      id: ids.integrationId,
    }),
  };
}

/**
 * The pseudonym of an organization's gateway in `CDN-Loop` (RFC 8586 section 2): the same on every node, and without the organization's name.
 */
export function loopMarkOf(organizationId: string): string {
  return `gatehouse-${hash('sha256', `loop ${organizationId}`).slice(0, 16)}`;
}

/** @throws ProblemError `loop_detected` for a call that has passed a gateway of this organization before. */
export function checkNoLoop({ cdnLoop }: Inbound, mark: string): void {
  if (cdnLoop?.includes(mark)) throw loopDetected();
}

/** The `CDN-Loop` to send upstream: the call's, if it may pass, and our own mark. */
export function cdnLoopFor({ cdnLoop }: Inbound, mark: string, token: string): string {
  return cdnLoop === undefined || cdnLoop.includes(token) ? mark : `${cdnLoop}, ${mark}`;
}

/** The rules of a route, and what they are about. */
export interface RoutePolicy {
  readonly levels: readonly PolicyLevel[];
  readonly hasPeopleRules: boolean;
  /** A body must be read before it goes up. */
  readonly hasNameRules: boolean;
  /** What is known of a tool decides too. */
  readonly hasDefinitionRules: boolean;
  /** The kinds of names that rules limit. */
  readonly kinds: ReadonlySet<NameKind>;
  /** Of the rules of each kind: when it changes, a list may. */
  readonly digests: ReadonlyMap<NameKind, string>;
}

/** Undefined without rules. @param toolsReviewedAt when the approved definitions of tools changed last */
export function routePolicyOf(
  levels: readonly PolicyLevel[] | undefined,
  toolsReviewedAt: Date | null,
): RoutePolicy | undefined {
  if (levels === undefined) return undefined;
  const kinds = nameKinds.filter((kind) => levels.some(({ rules }) => hasRulesOf(rules, kind)));
  return {
    levels,
    hasPeopleRules: levels.some(({ rules }) => hasPeopleRules(rules)),
    hasNameRules: levels.some(({ rules }) => hasNameRules(rules)),
    hasDefinitionRules: levels.some(({ rules }) => hasDefinitionRules(rules)),
    kinds: new Set(kinds),
    digests: new Map(kinds.map((kind) => [kind, digestOf(levels, kind, toolsReviewedAt)])),
  };
}

/** The kinds of lists that may differ between two states of the rules. */
export function changedKinds(
  before: RoutePolicy | undefined,
  after: RoutePolicy | undefined,
): readonly NameKind[] {
  return nameKinds.filter((kind) => before?.digests.get(kind) !== after?.digests.get(kind));
}

function digestOf(
  levels: readonly PolicyLevel[],
  kind: NameKind,
  toolsReviewedAt: Date | null,
): string {
  const rules = levels.flatMap(({ level, rules }) =>
    hasRulesOf(rules, kind) ? [[level, rules[kind]]] : [],
  );
  const isReviewed = kind === 'tools' && levels.some(({ rules }) => hasDefinitionRules(rules));
  return hash('sha256', JSON.stringify([rules, isReviewed ? toolsReviewedAt : null]));
}
