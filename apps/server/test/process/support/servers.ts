import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type GatehouseOptions,
  LaunchError,
  type LaunchedGatehouse,
  launchGatehouse,
} from '@gatehouse/harness';
import { afterFile } from '../../support/after-file.ts';
import { noteOutput, noteSecret } from './logs.ts';
import { randomSecret } from './routes.ts';
import type { Witness } from './witness.ts';

/** Milliseconds: far more than a start takes, on a machine that does much else. */
const START_LIMIT = 120_000;

/** Settings that are secrets, or lists with secrets in them. */
const SECRET_SETTINGS = [
  'GATEHOUSE_BOOTSTRAP_TOKEN',
  'GATEHOUSE_ENCRYPTION_KEYS',
  'GATEHOUSE_METRICS_TOKEN',
];

/**
 * Starts the built server without rate limits; it is killed after the file's tests at the latest,
 * and what it wrote is searched for every secret of the file, also when it did not become ready.
 */
export async function startServer(
  options: GatehouseOptions = {},
  witness?: Witness,
): Promise<LaunchedGatehouse> {
  const env: Record<string, string> = { GATEHOUSE_RATE_LIMIT: '0', ...options.env };
  const bootstrapToken = options.bootstrapToken ?? randomSecret();
  noteSecret('the owner token', bootstrapToken);
  noteSecretSettings(env);
  const isFirstTokenShown =
    env.GATEHOUSE_BOOTSTRAP_TOKEN === '' && options.databaseUrl === undefined;
  const written = { isFirstTokenShown };
  try {
    const all = { timeout: START_LIMIT, ...options, bootstrapToken, env };
    const server = await launchGatehouse(all);
    afterFile(() => server.dispose());
    noteOutput(`server ${server.pid}`, server, written);
    witness?.process(`server ${server.pid}`, server);
    return server;
  } catch (error) {
    if (error instanceof LaunchError) noteOutput('a refused start', error.output, written);
    throw error;
  }
}

/** Notes what of an environment is secret. */
export function noteSecretSettings(env: Readonly<Record<string, string>>): void {
  for (const name of SECRET_SETTINGS) {
    for (const part of env[name]?.split(/[,:]/) ?? []) noteSecret(name, part);
  }
}

/** How a server ended that did not become ready. */
export interface RefusedStart {
  readonly code: number | null;
  readonly stderr: string;
  readonly stdout: string;
}

/** Starts a server that is to refuse: throws when it becomes ready. */
export async function startRefused(options: GatehouseOptions): Promise<RefusedStart> {
  try {
    await startServer(options);
  } catch (error) {
    if (!(error instanceof LaunchError) || error.exit === undefined) throw error;
    const { stdout, stderr } = error.output;
    return { code: error.exit.code, stdout, stderr };
  }
  throw new Error('The server started although it had to refuse.');
}

/** A directory that is deleted after the file's tests. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-process-'));
  afterFile(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
