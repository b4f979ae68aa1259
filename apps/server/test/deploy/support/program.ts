import { findProgram, isRuntimeMissing } from '@gatehouse/harness';

/**
 * Whether to skip what needs a program of the operating system, because it is not installed. If so, prints a
 * line.
 *
 * @throws Error in a CI run (`CI=true`), which must not pass without it.
 */
export function isProgramMissing(name: string): boolean {
  // Daemons are in the path of administrators alone.
  return isRuntimeMissing(name, findProgram([name], '/usr/sbin'));
}
