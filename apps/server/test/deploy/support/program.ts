import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isRuntimeMissing } from '@gatehouse/harness';

/**
 * Whether to skip what needs a program of the operating system, because it is not installed. If so, prints a
 * line.
 *
 * @throws Error in a CI run (`CI=true`), which must not pass without it.
 */
export function isProgramMissing(name: string): boolean {
  return isRuntimeMissing(name, findProgram(name));
}

/** Daemons are in `/usr/sbin`, which is in the path of administrators alone. */
function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
