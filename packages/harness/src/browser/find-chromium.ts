import { findProgram, isExecutable } from '../find-program.ts';

/** First the one without windows: a test in it takes two thirds of the time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/**
 * Path of a Chromium: the one in `CHROMIUM_PATH`, or else the first in `PATH` or `/usr/bin`. Undefined
 * if it is not installed.
 */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env.CHROMIUM_PATH) return isExecutable(env.CHROMIUM_PATH) ? env.CHROMIUM_PATH : undefined;
  return findProgram(NAMES, '/usr/bin', env);
}

/**
 * Whether to skip the browser tests because no browser is installed. If so, prints a line.
 *
 * @throws Error in a CI run (`CI=true`), which must not pass without them.
 */
export function isBrowserMissing(env: NodeJS.ProcessEnv = process.env): boolean {
  if (findChromium(env) !== undefined) return false;
  if (env.CI === 'true') {
    throw new Error('No Chromium in CHROMIUM_PATH, PATH or /usr/bin, and CI=true needs one.');
  }
  process.stderr.write('No Chromium here: nothing was tested in a browser.\n');
  return true;
}
