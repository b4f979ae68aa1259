import { z } from 'zod';
import type { Db } from '../platform/database/store.ts';
import type { ChangeableKeys } from '../vault/live-keyring.ts';
import { findRunningNodes } from '../vault/node-keys.ts';
import { countSealed } from '../vault/sealed-counts.ts';

const keyState = z.object({
  id: z.string(),
  /** Here: in the running server, or in a command that runs without one. */
  isLoaded: z.boolean(),
  isSealing: z.boolean(),
  /** It has sealed at some time. */
  hasSealed: z.boolean(),
  isRetired: z.boolean(),
  /** Rows that it has sealed, by table. */
  rows: z.record(z.string(), z.number()),
  total: z.number(),
  /** Running nodes that have it, and those that do not. */
  nodes: z.array(z.string()),
  missingOn: z.array(z.string()),
});

/** The state of the encryption keys, without the keys. */
export const keyReport = z.object({
  /** Where the keys are changed: by this command, in the file; or by the operator. */
  source: z.enum(['file', 'environment']),
  keys: z.array(keyState),
  nodes: z.array(z.object({ name: z.string(), version: z.string(), keyIds: z.array(z.string()) })),
  nextStep: z.string(),
});

export type KeyState = z.infer<typeof keyState>;
export type KeyReport = z.infer<typeof keyReport>;

const VARIABLE = 'GATEHOUSE_ENCRYPTION_KEYS';

/** What the operator does next, in one or two sentences. */
export function nextStepOf({ source, keys, nodes }: Omit<KeyReport, 'nextStep'>): string {
  const lost = keys.find(({ isLoaded, total }) => !isLoaded && total > 0);
  if (lost !== undefined) {
    return `${rows(lost)} sealed with ${lost.id}, which is not loaded here: ${source === 'file' ? 'restore it in the key file' : `add it to ${VARIABLE}`}.`;
  }
  const retired = keys.find((key) => key.isRetired && (key.isLoaded || key.nodes.length > 0));
  if (retired !== undefined) {
    const remove = retired.isLoaded
      ? `Remove ${retired.id} from ${VARIABLE}, then restart`
      : 'Restart';
    return `${remove} node by node${named(retired.nodes)}: nothing needs ${retired.id} any more.`;
  }
  const partly = keys.find((key) => key.isLoaded && key.missingOn.length > 0);
  if (partly !== undefined) {
    return `Restart${named(partly.missingOn)} with ${partly.id} in ${VARIABLE}: every node must have it before it seals.`;
  }
  const sealing = keys.find(({ isSealing }) => isSealing);
  const behind = nodes.filter(({ keyIds }) => keyIds[0] !== sealing?.id).map(({ name }) => name);
  if (sealing !== undefined && behind.length > 0) {
    return `Restart${named(behind)} with ${sealing.id} first in ${VARIABLE}.`;
  }
  const others = keys.filter(({ isLoaded, isSealing }) => isLoaded && !isSealing);
  const old = others.find(({ total }) => total > 0);
  if (old !== undefined) return `${rows(old)} sealed with ${old.id}: gatehouse keys rewrap`;
  const fresh = others.find(({ hasSealed }) => !hasSealed);
  if (fresh !== undefined) return `Every node has ${fresh.id}: gatehouse keys activate ${fresh.id}`;
  const [unused] = others;
  if (unused !== undefined) {
    return `Nothing is sealed with ${unused.id} any longer: gatehouse keys retire ${unused.id}`;
  }
  return 'Nothing has to be done. To replace the key: gatehouse keys add';
}

function rows({ total }: KeyState): string {
  return total === 1 ? '1 row is' : `${total.toLocaleString('en')} rows are`;
}

function named(names: readonly string[]): string {
  return names.length === 0 ? '' : ` ${names.join(', ')}`;
}

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
