import { execFile } from 'node:child_process';
import type { Command } from './conversation.ts';

/** Milliseconds after which a program is ended. */
const PATIENCE = 120_000;

/** Runs a program to its end. @returns what it wrote, as its user sees it */
export function runProgram({ command, args, cwd, env }: Command): Promise<string> {
  const options = { cwd, env, timeout: PATIENCE, maxBuffer: 10_000_000 };
  return new Promise((resolve) => {
    const child = execFile(command, args, options, (_error, stdout, stderr) => {
      resolve(stdout + stderr);
    });
    child.stdin?.end();
  });
}
