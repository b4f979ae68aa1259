import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';

const cache = fileURLToPath(new URL('../.cache', import.meta.url));
const serverModules = fileURLToPath(new URL('../../apps/server/node_modules', import.meta.url));

/** Bundles a target that uses the server's sources. It runs on the same versions of the libraries. */
export async function bundleTarget(name) {
  mkdirSync(cache, { recursive: true });
  if (!existsSync(`${cache}/node_modules`)) symlinkSync(serverModules, `${cache}/node_modules`);
  await build({
    entry: [fileURLToPath(new URL(`../targets/${name}.mjs`, import.meta.url))],
    outDir: cache,
    format: 'esm',
    target: 'node20',
    skipNodeModulesBundle: true,
    silent: true,
    config: false,
  });
  return `${cache}/${name}.js`;
}
