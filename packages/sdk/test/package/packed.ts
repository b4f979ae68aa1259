import { cp, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesIn, mustRun, packPackage } from '@gatehouse/harness';
import { packageRoot } from '../docs/support/generated-file.ts';

/** The package as it is published, and the fixtures that have installed it. */
export interface Packed {
  /** Holds the tarball and a folder for each fixture. */
  readonly folder: string;
  readonly tarball: string;
  /** The installed package. */
  readonly installed: string;
  /** Of the installed package, relative to it. */
  readonly files: readonly string[];
}

const FIXTURES = ['cjs', 'esm', 'nodenext', 'bundler', 'browser', 'runtimes'];

/** Builds if need be, packs as publishing does, and installs the tarball into the fixtures offline. */
export async function pack(): Promise<Packed> {
  await buildIfStale();
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-sdk-'));
  const tarball = await packPackage('packages/sdk', folder);
  for (const fixture of FIXTURES) {
    await cp(join(packageRoot, 'fixtures', fixture), join(folder, fixture), { recursive: true });
  }
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, workspaces: FIXTURES }),
  );
  const installArgs = ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await mustRun('npm', installArgs, { cwd: folder });
  const installed = join(folder, 'node_modules/@gatehouse/sdk');
  return { folder, tarball, installed, files: await filesIn(installed) };
}

/** Removes what {@link pack} has made. */
export function unpack({ folder }: Packed): Promise<void> {
  return rm(folder, { recursive: true });
}

async function buildIfStale(): Promise<void> {
  const inputs = ['src', 'scripts', 'tsup.config.ts', '../contract/src/routes.ts'];
  const sources = await Promise.all(inputs.map((path) => times(join(packageRoot, path))));
  const built = await times(join(packageRoot, 'dist'));
  const isFresh = built.length > 0 && Math.min(...built) > Math.max(...sources.flat());
  if (!isFresh) await mustRun('npm', ['run', '--silent', 'build'], { cwd: packageRoot });
}

/** When the files at a path were written. */
async function times(path: string): Promise<number[]> {
  const info = await stat(path).catch(() => undefined);
  if (!info?.isDirectory()) return info ? [info.mtimeMs] : [];
  const names = await filesIn(path);
  return Promise.all(names.map(async (name) => (await stat(join(path, name))).mtimeMs));
}
