import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../docs/support/generated-file.ts';
import { mustRun } from '../support/run.ts';

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

const FIXTURES = ['cjs', 'esm', 'nodenext', 'bundler', 'runtimes'];

/** Builds if need be, packs as publishing does, and installs the tarball into the fixtures offline. */
export async function pack(): Promise<Packed> {
  await buildIfStale();
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-sdk-'));
  await mkdir(join(folder, 'packed'));
  const manifest = JSON.parse(await readFile(join(packageRoot, '../../package.json'), 'utf8'));
  const packArgs = ['--yes', '--prefer-offline', manifest.packageManager, 'pack'];
  await mustRun('npx', [...packArgs, '--pack-destination', join(folder, 'packed')], {
    cwd: packageRoot,
  });
  const tarball = join(folder, 'gatehouse-sdk.tgz');
  const [name = ''] = await readdir(join(folder, 'packed'));
  await rename(join(folder, 'packed', name), tarball);
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

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
