import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createTemporaryFolder, removeTemporaryFolder } from './temporary-folder.mjs';
import { root } from './workspace.mjs';

const REPORT = 'report.json';
/** Node's cache of compiled modules, which programs such as npm turn on. */
const COMPILE_CACHE = 'node-compile-cache';
/** Chromium's shared memory: unlinked as soon as it is open, unless the browser is killed in between. */
const BROWSER_MEMORY = '.org.chromium.Chromium.';

const running = new Set();

// Before their folders are removed.
process.prependListener('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Runs vitest with the given arguments: projects of the root's configuration, files, a `--root`.
 *
 * @returns how many tests passed, failed and were skipped. A run that broke off counts as at least one
 *   failure, and so does what tests left in the temporary folder. `failures` names each. `report` is vitest's JSON
 *   report, absent if it did not write one.
 */
export async function runVitest(args, { env = {}, node = process.execPath } = {}) {
  const folder = createTemporaryFolder('gatehouse-vitest-');
  const file = join(folder, REPORT);
  const reporters = ['default', './scripts/lib/slow-files.mjs', 'json'];
  const all = [
    join(root, 'node_modules/vitest/vitest.mjs'),
    ...['run', '--silent=passed-only', `--outputFile.json=${file}`],
    ...reporters.map((reporter) => `--reporter=${reporter}`),
    ...args,
  ];
  try {
    const child = spawn(node, all, {
      cwd: root,
      env: { ...process.env, NO_COLOR: '1', TMPDIR: folder, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    running.add(child);
    const [code] = await once(child, 'close');
    running.delete(child);
    const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
    return resultOf(report, code, leftIn(folder));
  } finally {
    removeTemporaryFolder(folder);
  }
}

function leftIn(folder) {
  return readdirSync(folder).filter(
    (name) => name !== REPORT && name !== COMPILE_CACHE && !name.startsWith(BROWSER_MEMORY),
  );
}

function resultOf(report, code, left) {
  const failedTests = failedIn(report);
  const failures = [
    ...failedTests,
    ...(code !== 0 && failedTests.length === 0 ? [`vitest ended with exit code ${code}`] : []),
    ...left.map((name) => `Left in the temporary folder: ${name}`),
  ];
  const failed = report?.numFailedTests ?? 0;
  return {
    passed: report?.numPassedTests ?? 0,
    failed: Math.max(failed, code === 0 ? 0 : 1) + (left.length > 0 ? 1 : 0),
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
    failures,
    report,
  };
}

/** The tests that failed, and the files that could not be run. */
function failedIn(report) {
  return (report?.testResults ?? [])
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const file = relative(root, name);
      const tests = assertionResults.filter(({ status }) => status === 'failed');
      if (tests.length === 0) return `${file}: ${message}`;
      return tests.map(
        ({ fullName, failureMessages }) =>
          `${file} > ${fullName}\n    ${failureMessages.join('\n').split('\n').slice(0, 3).join('\n    ')}`,
      );
    });
}
