import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, string | { readonly source?: string }>>;
}

const packages = new URL('packages/', import.meta.url);

/**
 * Workspace packages are read from their sources, so that no test runs against a stale build. Aliases
 * do it rather than the `source` condition, which packages of others carry as well.
 */
const alias = readdirSync(packages).flatMap((folder) => {
  const root = new URL(`${folder}/`, packages);
  const manifest: Manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  return Object.entries(manifest.exports ?? {}).flatMap(([path, target]) => {
    if (typeof target === 'string' || target.source === undefined) return [];
    return {
      find: new RegExp(`^${manifest.name}${path.slice(1)}$`),
      replacement: fileURLToPath(new URL(target.source, root)),
    };
  });
});

export default defineConfig({
  resolve: { alias },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
