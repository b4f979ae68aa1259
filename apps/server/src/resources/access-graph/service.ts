import {
  decidePeople,
  limits,
  type PeopleReasonCode,
  type PolicyReason,
} from '@gatehouse/contract';
import type { Db } from '../../platform/database/store.ts';
import type { PolicyPerson } from '../../policy/people-rules.ts';
import { levelsOf } from '../../policy/rules.ts';
import { findInParts, readInParts } from './in-parts.ts';
import {
  type ApplicationNode,
  type CredentialFacts,
  type Edge,
  findApplicationNodes,
  findIntegrationNodes,
  type GraphFilter,
  type IntegrationNode,
  listCredentialFacts,
  listEdges,
  listIntegrationNodes,
  listPeopleRules,
} from './repository.ts';
import { countToolsOf } from './tools/edge-tools.ts';
import type { ToolCounts } from './tools/tool-counter.ts';
import { hasToolRules } from './tools/tool-rules.ts';

export interface AccessGraphRows {
  readonly applications: ReadonlyMap<string, ApplicationNode>;
  readonly integrations: ReadonlyMap<string, IntegrationNode>;
  readonly edges: readonly Edge[];
  /** Undefined unless requested. */
  readonly policy: PolicyFacts | undefined;
}

export interface PolicyFacts {
  /** By integration id. */
  readonly credentials: ReadonlyMap<string, CredentialFacts>;
  /** What rules refuse the person, by attachment id. */
  readonly refusals: ReadonlyMap<string, PeopleRefusals>;
  /** By attachment id, of proxied integrations. */
  readonly tools: ReadonlyMap<string, ToolCounts>;
}

export type PeopleRefusals = readonly PolicyReason<PeopleReasonCode>[];

const MAX = limits.accessGraphEdges;

/** A page of the graph. */
export interface GraphPage extends GraphFilter {
  readonly applicationIds: readonly string[];
  /** Also shows integrations that are attached to nothing. */
  readonly isFirst: boolean;
  /** For whom to compute policies, if at all. */
  readonly policyFor: PolicyPerson | undefined;
}

/**
 * Reads the attachments of some applications with their integrations, archived or not, and for the first page the newest
 * 5,000 active integrations, attached or not.
 */
export async function readAccessGraph(
  db: Db,
  organizationId: string,
  { applicationIds, isFirst, policyFor, ...filter }: GraphPage,
): Promise<AccessGraphRows> {
  const { integrationId } = filter;
  const edges = await readInParts(MAX, (part) =>
    listEdges(db, organizationId, applicationIds, { ...part, integrationId }),
  );
  const isListed = isFirst && filter.applicationId === undefined;
  const active = await readInParts(isListed ? MAX : 0, (part) =>
    listIntegrationNodes(db, organizationId, { ...part, integrationId }),
  );
  const integrationIds = distinct(edges.map((edge) => edge.integrationId));
  const integrations = await complete(byId(active), integrationIds, (ids) =>
    findIntegrationNodes(db, organizationId, ids),
  );
  return {
    applications: await complete(new Map(), applicationIds, (ids) =>
      findApplicationNodes(db, organizationId, ids),
    ),
    integrations,
    edges,
    policy: policyFor && {
      credentials: byId(
        await findInParts(integrationIds, (ids) => listCredentialFacts(db, organizationId, ids)),
      ),
      ...(await decideEdges(db, organizationId, { edges, integrations }, policyFor)),
    },
  };
}

/** What rules refuse a person, and how many tools rules allow anybody. */
async function decideEdges(
  db: Db,
  organizationId: string,
  { edges, integrations }: Pick<AccessGraphRows, 'edges' | 'integrations'>,
  person: PolicyPerson,
): Promise<Pick<PolicyFacts, 'refusals' | 'tools'>> {
  const ids = edges.map(({ id }) => id);
  const refusals = new Map<string, PeopleRefusals>();
  const aboutTools = new Set<string>();
  await findInParts(ids, async (part) => {
    const rows = await listPeopleRules(db, organizationId, part, person);
    for (const row of rows) {
      refusals.set(row.id, decidePeople(levelsOf(row) ?? [], person));
      if (hasToolRules(row)) aboutTools.add(row.id);
    }
    return rows;
  });
  const proxied = edges.filter(
    ({ integrationId }) => integrations.get(integrationId)?.category === 'gateway_remote_mcp',
  );
  const tools = await countToolsOf(
    db,
    organizationId,
    proxied.map((edge) => ({ ...edge, hasToolRules: aboutTools.has(edge.id) })),
  );
  return { refusals, tools };
}

/** Adds the nodes of edges that are not among the newest active ones. */
async function complete<Row extends { readonly id: string }>(
  nodes: ReadonlyMap<string, Row>,
  wanted: readonly string[],
  find: (ids: readonly string[]) => Promise<Row[]>,
): Promise<ReadonlyMap<string, Row>> {
  const missing = wanted.filter((id) => !nodes.has(id));
  if (missing.length === 0) return nodes;
  const all = [...nodes.values(), ...(await findInParts(missing, find))];
  return byId(all.sort((one, other) => (one.id < other.id ? 1 : -1)));
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

function byId<Row extends { readonly id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}
