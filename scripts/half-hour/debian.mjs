import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireMinimalDebian } from '../lib/minimal-debian.mjs';
import { run } from '../lib/run.mjs';
import { root } from '../lib/workspace.mjs';

const server = join(root, '.cache/debian-server');

/** What an installed Debian has and a minimal one lacks. */
const INSTALLED = ['systemd', 'systemd-sysv', 'curl', 'openssl', 'ca-certificates', 'procps'];

/** What the pages install. The machine has no network, so the packages are there already. */
const DOWNLOADED = ['nginx', 'postgresql'];

/**
 * A Debian 12 with systemd as it is after its installation, made once and kept in `.cache`. Delete the folders to get
 * newer packages.
 *
 * @returns its folder, to copy and not to change
 * @throws CommandFailed
 */
export async function requireDebian() {
  if (existsSync(server)) return server;
  const minimal = await requireMinimalDebian();
  const draft = `${server}.draft`;
  rmSync(draft, { recursive: true, force: true });
  await run('cp', ['--archive', minimal, draft]);
  // The machine is thrown away: its packages need not survive a power loss.
  writeFileSync(join(draft, 'etc/dpkg/dpkg.cfg.d/unsafe-io'), 'force-unsafe-io\n');
  const apt = (...args) =>
    run('chroot', [draft, 'apt-get', '--quiet', '--yes', ...args], {
      quiet: true,
      env: { DEBIAN_FRONTEND: 'noninteractive' },
    });
  await apt('update');
  await apt('install', '--no-install-recommends', ...INSTALLED);
  await apt('install', '--download-only', ...DOWNLOADED);
  renameSync(draft, server);
  return server;
}
