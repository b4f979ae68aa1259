import { readFile } from 'node:fs/promises';
import { defineConfig, type Options } from 'tsup';

/** Keeps out of the bundle what its declarations and sources say, and what only the server reads. */
const slim: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'slim',
  setup(build) {
    build.onLoad({ filter: /\/sdk\/src\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      // Lines stay where they are, for the source map.
      const contents = text.replace(/^ *\/\*\*.*?\*\/$/gms, (comment) => comment.replace(/./g, ''));
      return { contents, loader: 'ts' };
    });
    build.onLoad({ filter: /\/contract\/src\/routes\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text
        .replace(/(access|adminParameter): '\w+',/g, '')
        .replace(/idempotency: 'none',?/g, '');
      return { contents, loader: 'ts' };
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
