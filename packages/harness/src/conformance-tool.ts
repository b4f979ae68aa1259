import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { captureOutput } from './launch/output.ts';
import { findNewerNode } from './node-binary.ts';

/** The end of the name of a folder with the result of a scenario. */
const RESULT = /-\d{4}-\d\d-\d\dT[\d-]+Z$/;

/** The releases of the official conformance tool that are installed. */
export type ConformanceTool = '0.1.16' | '0.2.0-alpha.12';

const packages: Record<ConformanceTool, string> = {
  '0.1.16': '@modelcontextprotocol/conformance',
  '0.2.0-alpha.12': 'conformance-next',
};

/** One check of one scenario. */
export interface ConformanceCheck {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** One scenario. It passed if no check is a `FAILURE`. */
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

/** One run of the tool. */
export interface ToolOptions {
  readonly tool: ConformanceTool;
  /** The tool's command and its arguments, without where to write. */
  readonly args: readonly string[];
  /** Begins the names of the folders in which this command writes what it found. */
  readonly folderPrefix: string;
  /** Called with each line that it prints. */
  readonly onLine?: (line: string) => void;
}

/** Runs the official conformance tool, with a Node that it supports. */
export async function runConformanceTool(options: ToolOptions): Promise<ConformanceRun> {
  const directory = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const { exitCode, output } = await runTool(options, directory);
    return { exitCode, output, scenarios: await readScenarios(directory, options.folderPrefix) };
  } finally {
    await rm(directory, { recursive: true });
  }
}

export function toolDirectory(tool: ConformanceTool): string {
  return dirname(createRequire(import.meta.url).resolve(`${packages[tool]}/package.json`));
}

async function runTool(
  { tool, args, onLine = () => undefined }: ToolOptions,
  directory: string,
): Promise<Pick<ConformanceRun, 'exitCode' | 'output'>> {
  const script = join(toolDirectory(tool), 'dist', 'index.js');
  const child = spawn(findNewerNode(), [script, ...args, '--output-dir', directory], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = captureOutput(child, onLine);
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { exitCode, output: `${printed.stdout}\n${printed.stderr}` };
}

/** The name of a scenario may be that of a folder in a folder. */
async function readScenarios(directory: string, prefix: string): Promise<ConformanceScenario[]> {
  const isResult = (path: string) => path.startsWith(prefix) && RESULT.test(path);
  const paths = (await readdir(directory, { recursive: true })).filter(isResult).sort();
  return Promise.all(
    paths.map(async (path) => ({
      name: path.slice(prefix.length).replace(RESULT, ''),
      checks: await readChecks(join(directory, path, 'checks.json')),
    })),
  );
}

async function readChecks(path: string): Promise<ConformanceCheck[]> {
  const checks: ConformanceCheck[] = JSON.parse(await readFile(path, 'utf8'));
  return checks.map(({ id, status, errorMessage, details }) => ({
    id,
    status,
    ...(errorMessage !== undefined && { errorMessage }),
    ...(details !== undefined && { details }),
  }));
}
