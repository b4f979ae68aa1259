import { setImmediate as nextTurn } from 'node:timers/promises';
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
  type Part,
} from './repository.ts';

export interface AccessGraphRows {
  readonly applications: ReadonlyMap<string, ApplicationNode>;
  readonly integrations: ReadonlyMap<string, IntegrationNode>;
  readonly edges: readonly Edge[];
  /** By integration id; undefined unless requested. */
  readonly facts: ReadonlyMap<string, CredentialFacts> | undefined;
  readonly truncated: boolean;
}

type List<Row> = (db: Db, organizationId: string, part: Part) => Promise<Row[]>;

const MAX = limits.accessGraphEdges;

/**
 * Reads the newest 5,000 attachments with their applications and integrations, archived or not, and
 * the newest 5,000 active applications and integrations, attached or not.
 */
export async function readAccessGraph(
  db: Db,
  organizationId: string,
  { withFacts }: { readonly withFacts: boolean },
): Promise<AccessGraphRows> {
  const newest = <Row extends { readonly id: string }>(list: List<Row>) =>
    readInParts(MAX + 1, (part) => list(db, organizationId, part));
  const found = await newest(listEdges);
  const activeApplications = await newest(listApplicationNodes);
  const activeIntegrations = await newest(listIntegrationNodes);
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
      ? byId(
          await findInParts(integrationIds, (ids) => listCredentialFacts(db, organizationId, ids)),
        )
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
  const all = [...nodes.values(), ...(await findInParts(missing, find))];
  return byId(all.sort((one, other) => (one.id < other.id ? 1 : -1)));
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

function byId<Row extends { readonly id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

/** Rows of one statement, which take the embedded database in this process about 10 ms. */
const PART = 1_000;

/**
 * Reads up to `max` rows in descending order of ids, in parts, so that other requests get their turn in
 * between.
 */
async function readInParts<Row extends { readonly id: string }>(
  max: number,
  read: (part: Part) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    await nextTurn();
    const take = Math.min(PART, max - rows.length);
    const found = await read({ before: rows.at(-1)?.id, take });
    rows.push(...found);
    if (found.length < take || rows.length === max) return rows;
  }
}

/** Finds the rows of many ids in parts too. */
async function findInParts<Row>(
  ids: readonly string[],
  find: (ids: readonly string[]) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let start = 0; start < ids.length; start += PART) {
    await nextTurn();
    rows.push(...(await find(ids.slice(start, start + PART))));
  }
  return rows;
}
