import type { Db } from '../../platform/database/store.ts';
import type { ChangeableKeys } from '../../vault/changeable-keys.ts';
import { findRunningNodes } from '../../vault/nodes.ts';
import { countSealed } from '../../vault/sealed-counts.ts';
import type { KeyReport, KeyState } from './key-report.ts';
import { nextStepOf } from './next-step.ts';

/** Loaded keys first, in their order. */
export async function reportKeys(db: Db, { keyring, change }: ChangeableKeys): Promise<KeyReport> {
  const nodes = await findRunningNodes(db);
  const checks = new Map(
    (await db.keyCheck.findMany({ omit: { sealed: true } })).map((check) => [check.keyId, check]),
  );
  const counts = await countSealed(db);
  const ids = new Set([
    ...keyring.ids,
    ...counts.keys(),
    ...nodes.flatMap(({ keyIds }) => keyIds),
    ...[...checks.values()].filter(({ retiredAt }) => retiredAt === null).map(({ keyId }) => keyId),
  ]);
  const has = (id: string) => nodes.filter(({ keyIds }) => keyIds.includes(id));
  const keys = [...ids].map((id): KeyState => {
    const rows = counts.get(id) ?? {};
    const holders = has(id);
    return {
      id,
      isLoaded: keyring.ids.includes(id),
      isSealing: id === keyring.activeId,
      hasSealed: Boolean(checks.get(id)?.sealedAt),
      isRetired: Boolean(checks.get(id)?.retiredAt),
      rows,
      total: Object.values(rows).reduce((sum, count) => sum + count, 0),
      nodes: holders.map(({ name }) => name),
      missingOn: nodes.filter((node) => !holders.includes(node)).map(({ name }) => name),
    };
  });
  const found = {
    source: change === undefined ? ('environment' as const) : ('file' as const),
    keys,
    nodes: nodes.map(({ name, version, keyIds }) => ({ name, version, keyIds: [...keyIds] })),
  };
  return { ...found, nextStep: nextStepOf(found) };
}
