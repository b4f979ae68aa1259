import { readFile, writeFile } from 'node:fs/promises';
import { defineConfig } from 'tsup';
import { buildOpenApiDocument } from './src/openapi/document.ts';

const at = (path: string) => new URL(path, import.meta.url);

export default defineConfig({
  entry: ['src/index.ts', 'src/routes.ts'],
  format: ['esm', 'cjs'],
  target: 'node20',
  platform: 'neutral',
  dts: true,
  clean: true,
  sourcemap: true,
  esbuildOptions(options) {
    options.conditions = ['@gatehouse/source'];
  },
  onSuccess: async () => {
    const { version } = JSON.parse(await readFile(at('package.json'), 'utf8'));
    const document = buildOpenApiDocument({ version });
    await writeFile(at('dist/openapi.json'), `${JSON.stringify(document, null, 2)}\n`);
  },
});
