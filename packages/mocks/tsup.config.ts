import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/index.ts', 'src/node.ts', 'src/browser.ts'],
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  external: [/^msw/],
  dts: true,
  clean: true,
  sourcemap: true,
});
