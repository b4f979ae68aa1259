import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CommandFailed, run } from './run.mjs';
import { root } from './workspace.mjs';

const SERVER = join(root, 'apps/server');
const MAX_SBOM_BYTES = 64 * 1024 * 1024;

/**
 * Installs the packed server below an empty folder, as its users do: what ships, and nothing else.
 *
 * @returns where it is installed
 * @throws CommandFailed
 */
export async function installShipped(parent) {
  // npm names the bill of materials after the folder.
  const folder = join(parent, 'gatehouse');
  mkdirSync(folder);
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { version } = JSON.parse(readFileSync(join(SERVER, 'package.json'), 'utf8'));
  const pack = ['--yes', packageManager, 'pack', '--pack-destination', folder];
  await run('npx', pack, { cwd: SERVER, quiet: true });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  const manifest = { name: 'gatehouse', version, private: true };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', `./${tarball}`];
  await run('npm', install, { cwd: folder, quiet: true });
  return folder;
}

/** The bill of materials of an installed folder, in CycloneDX's JSON. @throws CommandFailed */
export async function sbomOf(folder) {
  const args = ['sbom', '--omit', 'dev', '--sbom-format', 'cyclonedx'];
  try {
    const options = { cwd: folder, maxBuffer: MAX_SBOM_BYTES };
    return (await promisify(execFile)('npm', args, options)).stdout;
  } catch (error) {
    throw new CommandFailed('npm', args, error.code);
  }
}

/** Fails on a published weakness of anything that ships, of any severity. @throws CommandFailed */
export async function audit(folder) {
  await run('npm', ['audit', '--omit', 'dev', '--audit-level', 'low'], { cwd: folder });
}
