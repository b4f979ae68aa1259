import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Db } from '../../../platform/database/store.ts';
import { levelsOf, type PolicyRow } from '../../../policy/rules.ts';
import { readCatalogue } from './catalogue.ts';
import { ToolCounter, type ToolCounts } from './tool-counter.ts';
import { keyOf, listToolRules } from './tool-rules.ts';

/** An attachment of a proxied integration. */
export interface ToolEdge {
  readonly id: string;
  readonly integrationId: string;
  /** Whether any of its rules are about tools. */
  readonly hasToolRules: boolean;
}

/** Attachments of one statement: their rules may be long. */
const PART = 25;

const NO_RULES: PolicyRow = {
  integrationRules: null,
  applicationRules: null,
  attachmentRules: null,
};

/** The counts of attachments by their ids; without those for which counting would take too long. */
export async function countToolsOf(
  db: Db,
  organizationId: string,
  edges: readonly ToolEdge[],
): Promise<ReadonlyMap<string, ToolCounts>> {
  const integrationIds = [...new Set(edges.map(({ integrationId }) => integrationId))];
  const catalogue = await readCatalogue(db, organizationId, integrationIds);
  const counter = new ToolCounter(catalogue);
  const counts = new Map<string, ToolCounts>();
  const count = async ({ id, integrationId }: ToolEdge, row: PolicyRow) => {
    const rules = { key: keyOf(row), levels: levelsOf(row) ?? [] };
    const counted = await counter.count(integrationId, rules);
    if (counted !== undefined) counts.set(id, counted);
  };
  const isLimited = ({ integrationId, hasToolRules }: ToolEdge) =>
    hasToolRules && catalogue.get(integrationId)?.length !== 0;
  for (const edge of edges) if (!isLimited(edge)) await count(edge, NO_RULES);
  const limited = edges.filter(isLimited);
  for (let start = 0; start < limited.length; start += PART) {
    await nextTurn();
    const part = limited.slice(start, start + PART);
    const rows = await listToolRules(
      db,
      organizationId,
      part.map(({ id }) => id),
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const edge of part) {
      const row = byId.get(edge.id);
      if (row !== undefined) await count(edge, row);
    }
  }
  return counts;
}
