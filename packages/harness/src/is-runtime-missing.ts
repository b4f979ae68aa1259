import { existsSync } from 'node:fs';

/**
 * Whether to skip the tests on a runtime because its binary is missing. If so, prints a line.
 *
 * @param name - of the runtime, such as `Deno`
 * @param binary - its path; undefined if it was not found
 * @throws Error in a CI run (`CI=true`), which must not pass without them.
 */
export function isRuntimeMissing(
  name: string,
  binary: string | undefined,
  env: NodeJS.ProcessEnv = process.env,
): boolean {
  if (binary !== undefined && existsSync(binary)) return false;
  if (env.CI === 'true') throw new Error(`No ${name} here, and CI=true needs one.`);
  process.stderr.write(`No ${name} here: nothing was tested on it.\n`);
  return true;
}
