import { readFile } from 'node:fs/promises';
import { defineConfig, type Options } from 'tsup';
import { type Route, routes } from '../contract/src/routes.ts';

/** A route as it is written where it is used: what a client needs of it, and no others beside it. */
function literalOf(resource: string, operation: string): string {
  const table: Readonly<Record<string, Readonly<Record<string, Route>>>> = routes;
  const route = table[resource]?.[operation];
  if (route === undefined) throw new Error(`There is no route ${resource}.${operation}.`);
  const { method, path, idempotency } = route;
  const usual = method === 'GET' ? 'none' : 'key';
  return JSON.stringify({ method, path, ...(idempotency !== usual && { idempotency }) });
}

/** Keeps out of the bundle what its declarations and sources say, and what only the server reads. */
const slim: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'slim',
  setup(build) {
    build.onLoad({ filter: /\/sdk\/src\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      // Lines stay where they are, for the source map.
      const contents = text
        .replace(/^ *\/\*\*.*?\*\/$/gms, (comment) => comment.replace(/./g, ''))
        .replace(/\broutes\.(\w+)\.(\w+)/g, (_, resource, name) => literalOf(resource, name));
      return { contents, loader: 'ts' };
    });
    build.onLoad({ filter: /\/sdk\/package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

/**
 * The contract's route table is bundled, so that the built entries import nothing.
 * `scripts/finish-build.mjs` adds CommonJS.
 */
export default defineConfig({
  entry: ['src/index.ts', 'src/validation.ts'],
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  clean: true,
  sourcemap: true,
  splitting: false,
  treeshake: true,
  noExternal: ['@gatehouse/contract'],
  external: ['@gatehouse/sdk'],
  esbuildPlugins: [slim],
  esbuildOptions(options) {
    options.conditions = ['@gatehouse/source'];
  },
  dts: { compilerOptions: { stripInternal: true } },
});
