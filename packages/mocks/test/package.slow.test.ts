import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  findNode24,
  isBrowserMissing,
  isRuntimeMissing,
  launchBrowser,
  mustRun,
  packPackage,
  publishingFaults,
  startStaticSite,
} from '@gatehouse/harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installProject, type Project, pageFiles } from './package/project.ts';

const packageRoot = fileURLToPath(new URL('../', import.meta.url));
const tsc = join(packageRoot, '../../node_modules/typescript/bin/tsc');

/** Needs Node 22.12, so that it cannot be a dependency of the workspace. */
const MSW_3 = '3.0.5';

const node24 = findNode24();

describe('the packed mocks', () => {
  let folder: string;
  let tarballs: string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-mocks-'));
    tarballs = await Promise.all(
      ['packages/mocks', 'packages/contract', 'packages/sdk'].map((directory) =>
        packPackage(directory, folder),
      ),
    );
  }, 240_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('are what publint and package managers ask for, with types that are right everywhere', async () => {
    expect(await publishingFaults(tarballs[0] ?? '')).toEqual([]);
  });

  describe('beside MSW 2, on the Node of the tests', () => {
    works(process.execPath, async () => {
      const manifest = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'));
      return manifest.devDependencies.msw;
    });
  });

  describe.skipIf(isRuntimeMissing('Node 24', node24))('beside MSW 3, on Node 24', () => {
    works(node24 ?? '', async () => MSW_3);
  });

  function works(node: string, getVersion: () => Promise<string>): void {
    let project: Project;

    beforeAll(async () => {
      const version = await getVersion();
      const packages = [...tarballs, `msw@${version}`];
      project = await installProject({ folder: join(folder, `msw-${version}`), node }, packages);
    }, 240_000);

    it.each(['cjs', 'esm'])('work in a project of modules of the kind %s', async (kind) => {
      const output = await mustRun(node, [join(kind, 'index.js')], { cwd: project.folder });
      expect(output).toBe('Tracker rate_limited');
    });

    it('are compiled by TypeScript for Node, in both module systems', async () => {
      await mustRun(tsc, ['-p', 'nodenext'], { cwd: project.folder });
    }, 180_000);

    it.skipIf(isBrowserMissing())('answer the SDK in a page, from a service worker', async () => {
      const site = await startStaticSite(await pageFiles(project));
      const browser = await launchBrowser();
      try {
        const page = await browser?.newPage();
        await page?.goto(site.origin);
        const call = "import('/page.js').then(({ useMocks }) => useMocks())";
        expect(await page?.evaluate(call)).toEqual({
          attached: ['Issue tracker'],
          listed: ['Issue tracker'],
          refusal: 'forbidden',
          left: 0,
          passed: 'of the site',
        });
      } finally {
        await browser?.close();
        await site.close();
      }
    });
  }
});
