import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mustRun } from '../publishing/run-command.ts';
import { findFreePort } from './free-port.ts';
import { LaunchError, type LaunchedProcess, launch } from './launch.ts';

/**
 * What makes Node run the built server. V8 leaves the embedded database as it compiled it first: a test ends before the
 * two seconds pay off that optimizing it takes.
 */
export const serverArgs: readonly string[] = [
  '--liftoff-only',
  fileURLToPath(new URL('../../../../apps/server/dist/main.js', import.meta.url)),
];

/** One key for the whole test process, so that the nodes of one database share it, and restarts too. */
const encryptionKeys = `test:${randomBytes(32).toString('base64')}`;

/** Options of {@link launchGatehouse}. */
export interface GatehouseOptions {
  /** Added to, and overriding, the environment that the launcher sets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Directory of the embedded database; default: a new one. */
  readonly dataDir?: string;
  /** PostgreSQL instead of the embedded database. */
  readonly databaseUrl?: string;
  /** The owner's personal access token on an empty database; default: a random one. */
  readonly bootstrapToken?: string;
  /** Default: the Node that runs the tests. */
  readonly nodeBinary?: string;
  /** Default: a free one. */
  readonly port?: number;
  /** Milliseconds to wait until it is ready; default 120,000. */
  readonly timeout?: number;
}

/** A running server. */
export interface LaunchedGatehouse extends LaunchedProcess {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  /** {@link origin} with `/api/v1`. */
  readonly baseUrl: string;
  readonly port: number;
  readonly dataDir: string;
  readonly bootstrapToken: string;
  /** Makes a link that signs a member in, as an operator does at the server. */
  signInLink(email: string): Promise<string>;
  /** Kills the process if it is still running, and deletes the data directory unless it was given. */
  dispose(): Promise<void>;
}

/**
 * Whether this line says that the server is ready, to a person or in the log. Unlike a port, the output can
 * only be the server's.
 */
export function isGatehouseReady(line: string): boolean {
  return line.startsWith('Gatehouse is ready at ') || line.includes('"msg":"listening"');
}

/**
 * Starts the built server (`apps/server/dist/main.js`) with loopback upstreams allowed, and waits
 * until it is ready.
 *
 * @throws LaunchError as {@link launch} does.
 */
export async function launchGatehouse(options: GatehouseOptions = {}): Promise<LaunchedGatehouse> {
  const {
    env = {},
    databaseUrl,
    nodeBinary = process.execPath,
    bootstrapToken = randomBytes(32).toString('base64url'),
    dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-')),
  } = options;
  const start = (onPort: number) =>
    launch({
      command: nodeBinary,
      args: serverArgs,
      env: {
        NODE_ENV: 'production',
        GATEHOUSE_HOST: '127.0.0.1',
        GATEHOUSE_PORT: String(onPort),
        GATEHOUSE_DATA_DIR: dataDir,
        GATEHOUSE_BOOTSTRAP_TOKEN: bootstrapToken,
        GATEHOUSE_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
        ...(databaseUrl !== undefined && {
          DATABASE_URL: databaseUrl,
          GATEHOUSE_ENCRYPTION_KEYS: encryptionKeys,
        }),
        ...env,
      },
      readyWhen: isGatehouseReady,
      ...(options.timeout !== undefined && { timeout: options.timeout }),
    });
  const removeDataDir = async () => {
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  const { port: given } = options;
  const starting =
    given === undefined
      ? onFreePort(start)
      : start(given).then((child) => ({ port: given, child }));
  const { port, child } = await starting.catch(async (error: unknown) => {
    await removeDataDir();
    throw error;
  });
  const origin = `http://127.0.0.1:${port}`;
  // The process is extended in place: a copy would freeze the getters of its growing output.
  return Object.assign(child, {
    origin,
    baseUrl: `${origin}/api/v1`,
    port,
    dataDir,
    bootstrapToken,
    signInLink: (email: string) => signInLink(email, nodeBinary, dataDir),
    async dispose() {
      await child.kill9();
      await removeDataDir();
    },
  });
}

async function signInLink(email: string, nodeBinary: string, dataDir: string): Promise<string> {
  const env = { GATEHOUSE_DATA_DIR: dataDir };
  const output = await mustRun(nodeBinary, [...serverArgs, 'sign-in-link', email], {
    cwd: dataDir,
    env,
  });
  return output.split('\n', 1)[0] ?? '';
}

/** Another process may take the free port before the server listens on it. Then tries another port. */
async function onFreePort(
  start: (port: number) => Promise<LaunchedProcess>,
): Promise<{ port: number; child: LaunchedProcess }> {
  const port = await findFreePort();
  try {
    return { port, child: await start(port) };
  } catch (error) {
    const isTaken = error instanceof LaunchError && error.output.stderr.includes('EADDRINUSE');
    if (isTaken) return onFreePort(start);
    throw error;
  }
}
