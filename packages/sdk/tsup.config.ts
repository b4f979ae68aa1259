import { defineConfig } from 'tsup';

/** The contract's route table is bundled, so that the built entry imports nothing. */
export default defineConfig({
  entry: ['src/index.ts'],
  format: ['esm'],
  target: 'es2022',
  platform: 'neutral',
  clean: true,
  sourcemap: true,
  treeshake: true,
  noExternal: ['@gatehouse/contract'],
  esbuildOptions(options) {
    options.conditions = ['@gatehouse/source'];
  },
  dts: { compilerOptions: { stripInternal: true } },
});
