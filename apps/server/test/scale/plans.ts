import pg from 'pg';
import { expect } from 'vitest';
import type { Sent } from './recording-store.ts';

/** A node of `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)`, as much of it as is looked at. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/** How the server carried out one statement. */
export interface Plan {
  readonly sql: string;
  /** Every node, the root first. */
  readonly nodes: readonly PlanNode[];
  /** Pages touched, in the cache or not. */
  readonly buffers: number;
  readonly indexes: readonly string[];
  /** Rows read from tables and thrown away again. */
  readonly rowsRemoved: number;
}

/** So few rows that reading them all is right. */
const SMALL_TABLES = ['Organization', 'KeyCheck', 'AuditKey'];
/** The largest page, and the row that tells whether there is a next one. */
export const PAGE = 101;

/** Runs the statements once more, explained and rolled back, with the values they were sent with. */
export async function explain(url: string, statements: readonly Sent[]): Promise<Plan[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const plans: Plan[] = [];
    for (const { text, values } of statements) {
      await client.query('BEGIN');
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
        [...values],
      );
      await client.query('ROLLBACK');
      const root = rows[0]?.['QUERY PLAN'][0].Plan;
      if (root === undefined) throw new Error(`No plan for ${text}`);
      plans.push(planOf(text, root));
    }
    return plans;
  } finally {
    await client.end();
  }
}

function planOf(sql: string, root: PlanNode): Plan {
  const nodes = flatten(root);
  return {
    sql,
    nodes,
    buffers: root['Shared Hit Blocks'] + root['Shared Read Blocks'],
    indexes: nodes.flatMap((node) => node['Index Name'] ?? []),
    rowsRemoved: nodes.reduce((sum, node) => sum + removedBy(node), 0),
  };
}

function removedBy(node: PlanNode): number {
  const rows = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return rows * node['Actual Loops'];
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}

/** The most rows one statement may sort, and read in vain; a page each unless told otherwise. */
export interface Limits {
  readonly sorted?: number;
  readonly removed?: number;
}

/** No table is read from end to end, and rows are sorted or thrown away by the page at most. */
export function expectIndexed(
  plans: readonly Plan[],
  { sorted: mostSorted = PAGE, removed: mostRemoved = PAGE }: Limits = {},
): void {
  expect(plans.length).toBeGreaterThan(0);
  for (const plan of plans) {
    const told = describe(plan);
    expect(scanned(plan), told).toEqual([]);
    expect(sorted(plan), told).toBeLessThanOrEqual(mostSorted);
    expect(plan.rowsRemoved, told).toBeLessThanOrEqual(mostRemoved);
  }
}

function describe({ sql, nodes }: Plan): string {
  return [sql, ...nodes.map(({ Plans, ...node }) => JSON.stringify(node))].join('\n');
}

function scanned({ nodes }: Plan): string[] {
  return nodes
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => node['Relation Name'] ?? '')
    .filter((table) => !SMALL_TABLES.includes(table));
}

/** The most rows that any sort was given. */
function sorted({ nodes }: Plan): number {
  const inputs = nodes
    .filter((node) => node['Node Type'] === 'Sort' || node['Node Type'] === 'Incremental Sort')
    .flatMap((node) => node.Plans ?? []);
  return Math.max(0, ...inputs.map((node) => node['Actual Rows'] * node['Actual Loops']));
}

export function buffersOf(plans: readonly Plan[]): number {
  return plans.reduce((sum, { buffers }) => sum + buffers, 0);
}
