import type { InstallationNode } from '@gatehouse/sdk';

const collator = new Intl.Collator('en', { numeric: true });

/** By Semantic Versioning 2.0, section 11; two releases before the same version are compared as text with numbers. */
export function compareVersions(one: string, other: string): number {
  const [[coreOne = '', ...preOne], [coreOther = '', ...preOther]] = [
    one.split('-'),
    other.split('-'),
  ];
  const difference = collator.compare(coreOne, coreOther);
  if (difference !== 0) return difference;
  if (preOne.length === 0 || preOther.length === 0) return preOther.length - preOne.length;
  return collator.compare(preOne.join('-'), preOther.join('-'));
}

/** The newest version that a node runs, and the nodes with an older one. */
export function olderNodes(nodes: readonly InstallationNode[]): {
  readonly newest: string;
  readonly older: readonly InstallationNode[];
} {
  const newest = nodes
    .map(({ version }) => version)
    .reduce((best, version) => (compareVersions(version, best) > 0 ? version : best), '');
  return { newest, older: nodes.filter(({ version }) => compareVersions(version, newest) < 0) };
}
