import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mustRun } from './run-command.ts';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));

/**
 * Packs a built package of the workspace as it would be published.
 *
 * @param directory - of the package, relative to the repository, such as `packages/sdk`
 * @param destination - an existing folder
 * @returns the path of the tarball, such as `gatehouse-sdk.tgz`
 */
export async function packPackage(directory: string, destination: string): Promise<string> {
  const { packageManager } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
  const folder = await mkdtemp(join(destination, 'pack-'));
  const args = ['--yes', '--prefer-offline', packageManager, 'pack', '--pack-destination', folder];
  await mustRun('npx', args, { cwd: join(repository, directory) });
  const [name = ''] = await readdir(folder);
  const tarball = join(destination, `gatehouse-${basename(directory)}.tgz`);
  await rename(join(folder, name), tarball);
  await rm(folder, { recursive: true });
  return tarball;
}
