import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Path of a program: the first of these names in `PATH`, or else in one more folder. Undefined if it is
 * not found.
 */
export function findProgram(
  names: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const folders = [...(env.PATH ?? '').split(delimiter), folder].filter(Boolean);
  return folders
    .flatMap((within) => names.map((name) => join(within, name)))
    .find((path) => isExecutable(path));
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
