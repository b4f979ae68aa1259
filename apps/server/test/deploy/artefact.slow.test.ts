import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mustRun } from '@gatehouse/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

describe('the artefact', () => {
  const temporary = mkdtempSync(join(tmpdir(), 'gatehouse-artefact-'));
  const folder = join(temporary, 'gatehouse');
  const manifest: Manifest = JSON.parse(
    readFileSync(join(ROOT, 'apps/server/package.json'), 'utf8'),
  );

  let megabytes = 0;

  beforeAll(async () => {
    // The documentation is built for a release, and by no test.
    const script = `
      import { existsSync } from 'node:fs';
      import { join } from 'node:path';
      import { createArtefact } from ${JSON.stringify(join(ROOT, 'scripts/lib/artefact.mjs'))};
      import { sizeOf } from ${JSON.stringify(join(ROOT, 'scripts/lib/artefact-figures.mjs'))};
      await createArtefact(${JSON.stringify(folder)});
      const documentation = join(${JSON.stringify(folder)}, 'public/docs');
      const ofDocumentation = existsSync(documentation) ? sizeOf(documentation) : 0;
      console.log((sizeOf(${JSON.stringify(folder)}) - ofDocumentation) / 1e6);`;
    const output = await mustRun('node', ['--input-type=module', '--eval', script], { cwd: ROOT });
    megabytes = Number(output.trim().split('\n').at(-1));
  }, 240_000);
  afterAll(() => rmSync(temporary, { recursive: true, force: true }));

  /** `name` or `@scope/name`. */
  function packagesIn(modules: string): string[] {
    return readdirSync(modules).flatMap((name) =>
      name.startsWith('@')
        ? readdirSync(join(modules, name)).map((own) => `${name}/${own}`)
        : [name],
    );
  }

  test('has what the server needs to run, and nothing that only its developers need', () => {
    const packages = packagesIn(join(folder, 'node_modules')).filter(
      (name) => !name.startsWith('.'),
    );
    expect(packages.sort()).toEqual(Object.keys(manifest.dependencies).sort());
    const all = readdirSync(join(folder, 'node_modules/.pnpm'));
    const tools = Object.keys(manifest.devDependencies).filter(
      // Some libraries bring their types with them, and the database adapters the package of theirs.
      (name) => !name.startsWith('@types/') && name !== '@prisma/driver-adapter-utils',
    );
    for (const name of tools) {
      expect(all.filter((entry) => entry.startsWith(`${name.replace('/', '+')}@`))).toEqual([]);
    }
    expect(existsSync(join(folder, 'LICENSE'))).toBe(true);
  });

  test('has the size that the page says without the documentation, give or take 2 MB', () => {
    const page = readFileSync(join(ROOT, 'docs/run/deploy.md'), 'utf8');
    const [, said] = /\((\d+) MB without the documentation\)/.exec(page) ?? [];
    expect(Math.abs(megabytes - Number(said)), `${megabytes} MB`).toBeLessThanOrEqual(2);
  });
});
