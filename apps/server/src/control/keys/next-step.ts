import type { KeyReport, KeyState } from './key-report.ts';

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
    return `Nothing is sealed with ${unused.id} any more: gatehouse keys retire ${unused.id}`;
  }
  return 'Nothing has to be done. To replace the key: gatehouse keys add';
}

function rows({ total }: KeyState): string {
  return total === 1 ? '1 row is' : `${total.toLocaleString('en')} rows are`;
}

function named(names: readonly string[]): string {
  return names.length === 0 ? '' : ` ${names.join(', ')}`;
}
