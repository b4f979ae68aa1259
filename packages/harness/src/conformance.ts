import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ConformanceRun,
  type ConformanceTool,
  runConformanceTool,
  toolDirectory,
} from './conformance-tool.ts';

/** Options of {@link runConformance}. */
export interface ConformanceOptions {
  readonly tool: ConformanceTool;
  /** The MCP endpoint under test. */
  readonly url: string;
  /** Further arguments of the tool's `server` command, for example `['--suite', 'all']`. */
  readonly args: readonly string[];
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
export function runConformance(options: ConformanceOptions): Promise<ConformanceRun> {
  const { tool, url, args } = options;
  return runConformanceTool({
    tool,
    args: ['server', '--url', url, ...args],
    folderPrefix: 'server-',
  });
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

/** The scenarios that a revision of MCP requires of servers, or of clients, according to the tool. */
export async function requiredScenarios(
  revision: string,
  of: 'server' | 'client' = 'server',
): Promise<string[]> {
  const path = join(toolDirectory('0.2.0-alpha.12'), 'requirements', `${revision}.yaml`);
  const lines = (await readFile(path, 'utf8')).split('\n');
  const start = lines.indexOf(`${of}:`) + 1;
  const end = lines.findIndex((line, index) => index >= start && !line.startsWith('  - '));
  return lines.slice(start, end).map((line) => line.slice('  - '.length));
}
