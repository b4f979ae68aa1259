import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type GatehouseOptions,
  LaunchError,
  type LaunchedGatehouse,
  launchGatehouse,
} from '@gatehouse/testing';
import { afterAll } from 'vitest';
import type { Witness } from './witness.ts';

/** Milliseconds: far more than a start takes, on a machine that does much else. */
const START_LIMIT = 60_000;

const started = new Set<LaunchedGatehouse>();
const directories = new Set<string>();

afterAll(async () => {
  await Promise.all([...started].map((server) => server.kill9()));
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** Starts the built server without rate limits; it is killed after the file's tests at the latest. */
export async function startServer(
  options: GatehouseOptions = {},
  witness?: Witness,
): Promise<LaunchedGatehouse> {
  const env = { GATEHOUSE_RATE_LIMIT: '0', ...options.env };
  const server = await launchGatehouse({ timeout: START_LIMIT, ...options, env });
  started.add(server);
  witness?.process(`server ${server.pid}`, server);
  return server;
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
  directories.add(directory);
  return directory;
}
