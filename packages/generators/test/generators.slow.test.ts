import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildOpenApiDocument } from '@gatehouse/contract';
import { findNode24, isRuntimeMissing, mustRun } from '@gatehouse/harness';
import { setupMockGatehouse } from '@gatehouse/mocks/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generators, type Rename } from './generators.ts';

const require = createRequire(import.meta.url);

const tsconfig = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: 'ES2022',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: 'preserve',
    types: [],
    noEmit: true,
  },
  include: ['**/*.ts'],
};

const { gatehouse, server } = setupMockGatehouse({ baseUrl: 'https://gatehouse.example.com' });
const document = buildOpenApiDocument({ version: '1.0.0', serverUrl: gatehouse.baseUrl });

describe.skipIf(isRuntimeMissing('Node 24', findNode24())).each(generators)(
  'a client that $name generates with its defaults',
  ({ command, program }) => {
    let folder = '';

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'gatehouse-generators-'));
      await symlink(
        fileURLToPath(new URL('../node_modules', import.meta.url)),
        join(folder, 'node_modules'),
      );
      await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
      await writeFile(join(folder, 'program.ts'), program);
      const [file, ...args] = command();
      await mustRun(file, args, { cwd: folder });
      server.listen({ onUnhandledRequest: 'error' });
    });

    afterAll(async () => {
      server.close();
      await rm(folder, { recursive: true });
    });

    it('compiles under strict rules', async () => {
      const tsc = require.resolve('typescript/bin/tsc');
      await mustRun(process.execPath, [tsc, '--project', folder], { cwd: folder });
    });

    it('sends back what it has read', async () => {
      const { rename }: { rename: Rename } = await import(join(folder, 'program.ts'));
      expect(await rename(gatehouse.baseUrl, gatehouse.tokens.owner)).toBe('Renamed');
    });
  },
);
