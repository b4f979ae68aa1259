// npm run deploy:check: does what deploy/Dockerfile does, without a container engine: the artefact and node, and
// nothing else of this machine, in a minimal Debian made by debootstrap. There it must start and end as a container
// does: without network, as the user of the image, on a read-only root with one volume. Needs root and debootstrap.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireMinimalDebian } from './lib/minimal-debian.mjs';
import { CommandFailed, run } from './lib/run.mjs';
import { createTemporaryFolder } from './lib/temporary-folder.mjs';
import { root } from './lib/workspace.mjs';

const USER = 10001;
const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');
const image = createTemporaryFolder('gatehouse-image-');

/** The last line of the kind, with its backslashes joined. */
function instruction(name) {
  const lines = [...dockerfile.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))];
  return lines.at(-1)[1];
}

async function makeImage() {
  const base = await requireMinimalDebian();
  if (!existsSync(join(root, 'dist/gatehouse'))) await run('npm', ['run', '-s', 'artefact']);
  cpSync(base, image, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.startsWith(join(base, 'dev/')),
  });
  // What the base image has and a minimal Debian has not.
  mkdirSync(join(image, 'usr/local/bin'), { recursive: true });
  copyFileSync(process.execPath, join(image, 'usr/local/bin/node'));
  cpSync(join(root, 'dist/gatehouse'), join(image, 'opt/gatehouse'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  const volume = join(image, 'var/lib/gatehouse');
  mkdirSync(volume, { mode: 0o700 });
  chownSync(volume, USER, USER);
}

/** A shell script: the file systems of a container, and then the entry point in the place of the shell. */
function containerScript() {
  const settings = instruction('ENV').split(' ');
  const entryPoint = JSON.parse(instruction('ENTRYPOINT'));
  const drop = [
    'setpriv',
    '--reuid',
    USER,
    '--regid',
    USER,
    '--clear-groups',
    '--no-new-privs',
    '--bounding-set=-all',
    '--inh-caps=-all',
  ];
  return `
set -e
ip link set lo up
mount --bind ${image} ${image}
mount --bind ${image}/var/lib/gatehouse ${image}/var/lib/gatehouse
mount -t proc proc ${image}/proc
mount -o remount,bind,ro ${image}
mount --bind /dev ${image}/dev
exec env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin ${settings.join(' ')} GATEHOUSE_PUBLIC_URL=https://gatehouse.example.com \\
  chroot ${image} ${drop.join(' ')} /bin/sh -c 'cd /var/lib/gatehouse && ! touch /opt/x 2>/dev/null && exec ${entryPoint.join(' ')}'`;
}

/** Runs the container until it is healthy, then ends it by SIGTERM. Throws when something is otherwise. */
async function checkContainer() {
  const namespaces = ['--mount', '--net', '--ipc', '--uts'];
  const startedAt = performance.now();
  const container = spawn('unshare', [...namespaces, 'sh', '-c', containerScript()], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(container, 'exit');
  let output = '';
  for await (const chunk of container.stdout) {
    output += chunk;
    if (output.includes('"msg":"listening"')) break;
  }
  if (!output.includes('"msg":"listening"'))
    throw new Error('The container ended before it was ready.');
  const readyAfter = performance.now() - startedAt;
  await checkHealth(container.pid);
  container.kill('SIGTERM');
  const [code] = await exited;
  if (code !== 0) throw new Error(`After SIGTERM the container ended with ${code}.`);
  return readyAfter;
}

/** As HEALTHCHECK does: in the namespaces of the container. */
async function checkHealth(pid) {
  const [, command] = instruction('HEALTHCHECK').split(' CMD ');
  const args = [
    '--target',
    String(pid),
    '--mount',
    '--net',
    'chroot',
    image,
    '/usr/bin/env',
    '-i',
    'GATEHOUSE_PORT=3000',
  ];
  await run('nsenter', [...args, 'PATH=/usr/local/bin', ...JSON.parse(command)]);
}

try {
  await makeImage();
  const readyAfter = await checkContainer();
  console.log(
    `The image starts in ${(readyAfter / 1000).toFixed(1)} s, is healthy, and ends with 0 after SIGTERM.`,
  );
  process.exit(0);
} catch (error) {
  console.error(error instanceof CommandFailed ? error.message : error);
  process.exit(1);
}
