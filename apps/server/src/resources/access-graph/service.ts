import { limits } from '@gatehouse/contract';
import type { Db } from '../../platform/database/store.ts';
import {
  type ApplicationNode,
  type CredentialFacts,
  type Edge,
  findApplicationNodes,
  findIntegrationNodes,
  type IntegrationNode,
  listApplicationNodes,
  listCredentialFacts,
  listEdges,
  listIntegrationNodes,
} from './repository.ts';

export interface AccessGraphRows {
  readonly applications: ReadonlyMap<string, ApplicationNode>;
  readonly integrations: ReadonlyMap<string, IntegrationNode>;
  readonly edges: readonly Edge[];
  /** By integration id; undefined unless requested. */
  readonly facts: ReadonlyMap<string, CredentialFacts> | undefined;
  readonly truncated: boolean;
}

const MAX = limits.accessGraphEdges;

/**
 * Reads the newest 5,000 attachments with their applications and integrations, archived or not, and
 * the newest 5,000 active applications and integrations, attached or not. At most six statements.
 */
export async function readAccessGraph(
  db: Db,
  organizationId: string,
  { withFacts }: { readonly withFacts: boolean },
): Promise<AccessGraphRows> {
  const found = await listEdges(db, organizationId, MAX + 1);
  const activeApplications = await listApplicationNodes(db, organizationId, MAX + 1);
  const activeIntegrations = await listIntegrationNodes(db, organizationId, MAX + 1);
  const edges = found.slice(0, MAX);
  const integrationIds = distinct(edges.map(({ integrationId }) => integrationId));
  return {
    applications: await complete(
      byId(activeApplications.slice(0, MAX)),
      distinct(edges.map(({ applicationId }) => applicationId)),
      (ids) => findApplicationNodes(db, organizationId, ids),
    ),
    integrations: await complete(byId(activeIntegrations.slice(0, MAX)), integrationIds, (ids) =>
      findIntegrationNodes(db, organizationId, ids),
    ),
    edges,
    facts: withFacts
      ? byId(await listCredentialFacts(db, organizationId, integrationIds))
      : undefined,
    truncated: [found, activeApplications, activeIntegrations].some(({ length }) => length > MAX),
  };
}

/** Adds the nodes of edges that are not among the newest active ones. */
async function complete<Row extends { readonly id: string }>(
  nodes: ReadonlyMap<string, Row>,
  wanted: readonly string[],
  find: (ids: readonly string[]) => Promise<Row[]>,
): Promise<ReadonlyMap<string, Row>> {
  const missing = wanted.filter((id) => !nodes.has(id));
  if (missing.length === 0) return nodes;
  const all = [...nodes.values(), ...(await find(missing))];
  return byId(all.sort((one, other) => (one.id < other.id ? 1 : -1)));
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

function byId<Row extends { readonly id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}
