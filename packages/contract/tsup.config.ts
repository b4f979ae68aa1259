import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/index.ts', 'src/routes.ts', 'src/write-openapi.ts'],
  format: 'esm',
  target: 'node20',
  platform: 'neutral',
  external: [/^node:/],
  dts: { entry: ['src/index.ts', 'src/routes.ts'] },
  clean: true,
  sourcemap: true,
  esbuildOptions(options) {
    options.conditions = ['@gatehouse/source'];
  },
});
