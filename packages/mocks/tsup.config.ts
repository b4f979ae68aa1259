import { defineConfig } from 'tsup';

/** Without source maps: the output is readable, and converting split chunks to CommonJS breaks them. */
export default defineConfig({
  entry: ['src/index.ts', 'src/node.ts', 'src/browser.ts'],
  format: ['esm', 'cjs'],
  target: 'es2022',
  platform: 'neutral',
  external: [/^msw/],
  dts: true,
  clean: true,
  splitting: true,
});
