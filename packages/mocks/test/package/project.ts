import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mustRun } from '@gatehouse/harness';
import { build } from 'esbuild';

const packageRoot = fileURLToPath(new URL('../../', import.meta.url));

/** A folder with the fixtures that has installed the tarballs and a release of MSW. */
export interface Project {
  readonly folder: string;
  /** The Node that it runs on. */
  readonly node: string;
}

/** Makes a project of npm. */
export async function installProject(
  project: Project,
  packages: readonly string[],
): Promise<Project> {
  const { folder } = project;
  await mkdir(folder);
  await cp(join(packageRoot, 'fixtures'), folder, { recursive: true });
  await cp(join(packageRoot, 'test/browser/page.ts'), join(folder, 'browser/page.ts'));
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await mustRun('npm', ['install', ...flags, ...packages], { cwd: folder });
  return project;
}

/** What the page of the browser test loads: the page with all it imports, and the worker of MSW. */
export async function pageFiles({ folder }: Project): Promise<Record<string, string>> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'browser/page.ts')],
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    logLevel: 'silent',
  });
  const require = createRequire(join(folder, 'package.json'));
  return {
    '/page.js': outputFiles[0]?.text ?? '',
    '/mockServiceWorker.js': await readFile(require.resolve('msw/mockServiceWorker.js'), 'utf8'),
    '/robots.txt': 'of the site',
  };
}
