import { fileURLToPath } from 'node:url';
import {
  type ConformanceRun,
  type ConformanceTool,
  runConformanceTool,
} from '../conformance-tool.ts';
import { type PlayedScenario, type PlayScenario, startScenarioQueue } from './scenario-queue.ts';

/** Options of {@link runClientConformance}. */
export interface ClientConformanceOptions {
  readonly tool: ConformanceTool;
  /** Further arguments of the tool's `client` command, for example `['--suite', 'core']`. */
  readonly args: readonly string[];
  readonly play: PlayScenario;
}

/** What the tool has found, and how the client ended in each scenario. */
export interface ClientConformanceRun extends ConformanceRun {
  readonly played: readonly PlayedScenario[];
}

const FORWARD = fileURLToPath(new URL('./forward.mjs', import.meta.url));

/** Milliseconds for all scenarios of a run together: the last one waits for the others. */
const TIMEOUT = 280_000;

/** Runs the client scenarios of the official conformance tool, one at a time. */
export async function runClientConformance(
  options: ClientConformanceOptions,
): Promise<ClientConformanceRun> {
  const { tool, args, play } = options;
  const queue = await startScenarioQueue(play);
  // The tool gives it to a shell.
  const command = `'${process.execPath}' '${FORWARD}' ${queue.url}`;
  try {
    const run = await runConformanceTool({
      tool,
      args: ['client', '--command', command, '--timeout', String(TIMEOUT), ...args],
      folderPrefix: '',
    });
    return { ...run, played: queue.played };
  } finally {
    await queue.close();
  }
}
