import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { findNewerNode } from './node-binary.ts';

/** The releases of the official conformance tool that are installed. */
export type ConformanceTool = '0.1.16' | '0.2.0-alpha.12';

const packages: Record<ConformanceTool, string> = {
  '0.1.16': '@modelcontextprotocol/conformance',
  '0.2.0-alpha.12': 'conformance-next',
};

/** Options of {@link runConformance}. */
export interface ConformanceOptions {
  readonly tool: ConformanceTool;
  /** The MCP endpoint under test. */
  readonly url: string;
  /** Further arguments of the tool's `server` command, for example `['--suite', 'all']`. */
  readonly args: readonly string[];
}

/** One check of one scenario. */
export interface ConformanceCheck {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

/** One scenario. It passed if none of its checks is a `FAILURE`. */
export interface ConformanceScenario {
  readonly name: string;
  readonly checks: readonly ConformanceCheck[];
}

/** What one run of the tool found. */
export interface ConformanceRun {
  /** 0 if every scenario that counts passed. */
  readonly exitCode: number | null;
  /** The tool's whole output, for the message of a failed test. */
  readonly output: string;
  /** In alphabetical order. A scenario that could not run has no checks. */
  readonly scenarios: readonly ConformanceScenario[];
}

/** The three runs that an upstream, and anything in front of it, must pass. */
export const CONFORMANCE_RUNS = [
  { tool: '0.1.16', args: ['--suite', 'all'], scored: 32 },
  { tool: '0.2.0-alpha.12', args: ['--requirements', '2025-11-25'], scored: 30 },
  { tool: '0.2.0-alpha.12', args: ['--requirements', '2026-07-28'], scored: 37 },
] as const satisfies readonly (Omit<ConformanceOptions, 'url'> & { scored: number })[];

/**
 * Runs the official conformance tool against a server, with a Node that the tool supports. Do not run
 * it twice at the same time against one server: scenarios listen for changes that others publish.
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceRun> {
  const directory = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const { exitCode, output } = await runTool(options, directory);
    return { exitCode, output, scenarios: await readScenarios(directory) };
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** A line `scenario › check: STATUS` for each check except informational ones, to compare two runs. */
export function conformanceVerdicts(run: ConformanceRun): string[] {
  return run.scenarios.flatMap(({ name, checks }) =>
    checks
      .filter(({ status }) => status !== 'INFO')
      .map(({ id, status }) => `${name} › ${id}: ${status}`),
  );
}

/** The scenarios without a `FAILURE`: of the named ones, or of all. */
export function passedScenarios(run: ConformanceRun, names?: readonly string[]): string[] {
  return run.scenarios
    .filter(({ checks }) => checks.every(({ status }) => status !== 'FAILURE'))
    .map(({ name }) => name)
    .filter((name) => names?.includes(name) ?? true);
}

/** The server scenarios that a revision of MCP requires, according to the tool. */
export async function requiredScenarios(revision: '2025-11-25' | '2026-07-28'): Promise<string[]> {
  const path = join(toolDirectory('0.2.0-alpha.12'), 'requirements', `${revision}.yaml`);
  const lines = (await readFile(path, 'utf8')).split('\n');
  const start = lines.indexOf('server:') + 1;
  const end = lines.findIndex((line, index) => index >= start && !line.startsWith('  - '));
  return lines.slice(start, end).map((line) => line.slice('  - '.length));
}

function toolDirectory(tool: ConformanceTool): string {
  return dirname(createRequire(import.meta.url).resolve(`${packages[tool]}/package.json`));
}

async function runTool(
  { tool, url, args }: ConformanceOptions,
  directory: string,
): Promise<Pick<ConformanceRun, 'exitCode' | 'output'>> {
  const script = join(toolDirectory(tool), 'dist', 'index.js');
  const child = spawn(
    findNewerNode(),
    [script, 'server', '--url', url, '--output-dir', directory, ...args],
    { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [exitCode, ...output] = await Promise.all([exited, text(child.stdout), text(child.stderr)]);
  return { exitCode, output: output.join('\n') };
}

async function readScenarios(directory: string): Promise<ConformanceScenario[]> {
  const names = (await readdir(directory)).filter((name) => name.startsWith('server-')).sort();
  return Promise.all(
    names.map(async (name) => ({
      name: name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ''),
      checks: await readChecks(join(directory, name, 'checks.json')),
    })),
  );
}

async function readChecks(path: string): Promise<ConformanceCheck[]> {
  const checks: ConformanceCheck[] = JSON.parse(await readFile(path, 'utf8'));
  return checks.map(({ id, status, errorMessage }) => ({
    id,
    status,
    ...(errorMessage !== undefined && { errorMessage }),
  }));
}
