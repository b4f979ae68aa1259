import { randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, startNode, stop, untilReady } from './processes.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cache = fileURLToPath(new URL('../.cache', import.meta.url));

/**
 * Copies the built server, so that a build in between changes nothing.
 *
 * @param patch text to replace in the built files, and its replacement.
 * @param checkout the folder of another, built checkout of this repository; default: this one.
 * @returns the file to start.
 */
export function copyServer(name, { patch, checkout = root } = {}) {
  const server = join(resolve(checkout), 'apps/server');
  const built = join(server, 'dist');
  if (!existsSync(join(built, 'main.js'))) {
    throw new Error(
      `There is no built server in ${server}: run \`npm start\` once, or \`npx tsup\` there.`,
    );
  }
  const folder = join(cache, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(built, join(folder, 'dist'), { recursive: true });
  for (const part of ['node_modules', 'prisma', 'public', 'package.json']) {
    // Older checkouts have no `public`: a link that leads nowhere does no harm.
    symlinkSync(join(server, part), join(folder, part));
  }
  const main = join(folder, 'dist/main.js');
  if (patch !== undefined) replaceIn(join(folder, 'dist'), patch);
  return main;
}

function replaceIn(folder, [from, to]) {
  let isFound = false;
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.js'))) {
    const text = readFileSync(join(folder, name), 'utf8');
    if (!text.includes(from)) continue;
    isFound = true;
    writeFileSync(join(folder, name), text.replaceAll(from, to));
  }
  if (!isFound) throw new Error(`The built server does not contain ${from}.`);
}

const dataDirectories = [];
process.on('exit', () => {
  for (const folder of dataDirectories) rmSync(folder, { recursive: true, force: true });
});

export function newDataDirectory() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  dataDirectories.push(folder);
  return folder;
}

const encryptionKeys = `bench:${randomBytes(32).toString('base64')}`;
const bearer = randomBytes(32).toString('base64url');

/**
 * Starts Gatehouse with everything on except the limit of calls a minute.
 *
 * @param databaseUrl if absent, the embedded database in `dataDirectory` is used.
 * @param env further variables.
 */
export async function startGatehouse({ main, databaseUrl, dataDirectory, env }) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const child = startNode(main, {
    env: {
      GATEHOUSE_PORT: String(port),
      GATEHOUSE_DATA_DIR: dataDirectory ?? newDataDirectory(),
      GATEHOUSE_BOOTSTRAP_TOKEN: bearer,
      GATEHOUSE_ALLOWED_NETWORKS: '127.0.0.0/8',
      GATEHOUSE_RATE_LIMIT: '0',
      ...(databaseUrl && { DATABASE_URL: databaseUrl, GATEHOUSE_ENCRYPTION_KEYS: encryptionKeys }),
      ...env,
    },
  });
  const readyAfter = await untilReady(child, `${origin}/readyz`);
  const api = async (method, path, body) => {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  return { pid: child.pid, port, token: bearer, readyAfter, api, stop: () => stop(child) };
}

/**
 * Attaches an integration for the upstream to a new application.
 *
 * @param authentication the auth mode and what belongs to it; default: the upstream's token for everybody.
 * @returns the path of its gateway URL.
 */
export async function openRoute(
  { api },
  { port, token, origin = `http://127.0.0.1:${port}` },
  authentication = { authMode: 'server_token', serverToken: token },
) {
  const { integration } = await api('POST', '/integrations', {
    name: 'Upstream',
    url: `${origin}/mcp`,
    ...authentication,
  });
  const applicationId = await createApplication(api);
  await api('POST', `/applications/${applicationId}/integrations/${integration.id}`);
  return `/mcp/${applicationId}/${integration.id}`;
}

/** @returns its id */
export async function createApplication(api) {
  const { application } = await api('POST', '/applications', {
    name: 'Bench',
    oauth: { type: 'public', redirectUris: ['http://127.0.0.1/callback'] },
  });
  return application.id;
}
