import type { Db } from '../../../platform/database/store.ts';
import { readCatalogue } from '../tools/catalogue.ts';
import { ToolCounter, type ToolCounts } from '../tools/tool-counter.ts';
import type { Findings } from './findings.ts';
import type { Pair } from './pair.ts';
import { refuseSize } from './refusals.ts';
import type { RuleSet } from './rule-sets.ts';
import type { Scope } from './scope.ts';

/** Finds where rules would allow another number of tools. */
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
  const counter = new ToolCounter(await readCatalogue(db, organizationId, ids));
  const count = async (id: string, rules: RuleSet | undefined): Promise<ToolCounts> => {
    if (rules === undefined) return NOT_ATTACHED;
    return (await counter.count(id, rules)) ?? refuseSize('tools and patterns');
  };
  for (const { applicationId, integrationId, ...rules } of differing) {
    const before = await count(integrationId, rules.before);
    const after = await count(integrationId, rules.after);
    if (before.allowed === after.allowed) continue;
    const total = Math.max(before.total, after.total);
    const allowed = { before: before.allowed, after: after.allowed };
    findings.addTools({ applicationId, integrationId, allowed, total });
  }
}

const NOT_ATTACHED: ToolCounts = { allowed: 0, total: 0 };
