import type { Db } from '../../../platform/database/store.ts';
import { Slices } from '../../../platform/slices.ts';
import { readCatalogue } from '../tools/catalogue.ts';
import { type AllowedTools, ToolCounter } from '../tools/tool-counter.ts';
import type { Findings } from './findings.ts';
import type { Pair } from './pair.ts';
import { refuseSize } from './refusals.ts';
import type { RuleSet } from './rule-sets.ts';
import type { Scope } from './scope.ts';

/** Finds the tools that rules would allow and do not now, and the reverse. */
export async function compareTools(
  db: Db,
  organizationId: string,
  { pairs }: Scope,
  {
    findings,
    isProxied,
  }: { readonly findings: Findings; readonly isProxied: (pair: Pair) => boolean },
): Promise<void> {
  const differing = pairs.filter(
    (pair) => pair.isTouched && pair.before !== pair.after && isProxied(pair),
  );
  const ids = [...new Set(differing.map(({ integrationId }) => integrationId))];
  const catalogue = await readCatalogue(db, organizationId, ids);
  const counter = new ToolCounter(catalogue);
  const slices = new Slices();
  const count = async (id: string, rules: RuleSet | undefined): Promise<AllowedTools> => {
    if (rules === undefined) return NOT_ATTACHED;
    return (await counter.count(id, rules)) ?? refuseSize('tools and patterns');
  };
  for (const { applicationId, integrationId, ...rules } of differing) {
    if (slices.isOver) await slices.pause();
    const pair = { applicationId, integrationId };
    const before = await count(integrationId, rules.before);
    const after = await count(integrationId, rules.after);
    const tools = catalogue.get(integrationId) ?? [];
    for (const [place, { name }] of tools.entries()) {
      const [was, will] = [before.marks[place] === 1, after.marks[place] === 1];
      if (was !== will) findings.addTool(will ? 'gained' : 'lost', { ...pair, name });
    }
    if (before.allowed === after.allowed) continue;
    const total = Math.max(before.total, after.total);
    const allowed = { before: before.allowed, after: after.allowed };
    findings.addToolCounts({ ...pair, allowed, total });
  }
}

const NOT_ATTACHED: AllowedTools = { allowed: 0, total: 0, marks: new Uint8Array() };
