import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createTemporaryFolder, removeTemporaryFolder } from '../lib/temporary-folder.mjs';

/** Milliseconds after which a run is killed. */
const LIMIT = 300_000;
/** Milliseconds for one test: a patch may make something wait for ever. */
const TEST_LIMIT = 10_000;
/** Milliseconds for what a test polls, so that it says what did not come. */
const POLL_LIMIT = 5_000;

const running = new Set();

// Runs before the copies that the processes use are removed.
process.prependListener('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Runs the named tests of some files of one package in the copy at `dir`. Without names, runs all.
 *
 * @returns each test that ran: its file and name, whether it passed, and why not.
 */
export async function runTests({ files, names, store = 'pglite' }, dir) {
  const report = join(dir, 'report.json');
  rmSync(report, { force: true });
  const args = [
    join(dir, 'node_modules/vitest/vitest.mjs'),
    ...['run', '--root', join(dir, packageOf(files[0])), `--testTimeout=${TEST_LIMIT}`],
    `--expect.poll.timeout=${POLL_LIMIT}`,
    ...['--reporter=json', `--outputFile=${report}`],
    ...(names === undefined ? [] : ['--testNamePattern', patternOf(names)]),
    ...files.map((file) => join(dir, file)),
  ];
  await spawnNode(args, { cwd: dir, env: { ...process.env, GATEHOUSE_TEST_DATABASE: store } });
  return existsSync(report) ? resultsOf(JSON.parse(readFileSync(report, 'utf8')), dir) : [];
}

/** The folder of the package that a file belongs to. */
export function packageOf(file) {
  return file.split('/').slice(0, 2).join('/');
}

/** vitest joins titles with spaces where a patch has ` > `. */
function titleOf(name) {
  return name.replaceAll(' > ', ' ');
}

function patternOf(names) {
  const escaped = names.map((name) => titleOf(name).replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return `^(?:${escaped.join('|')})$`;
}

/** Whether a result belongs to the named test. */
export function isResultOf({ file, name }, test) {
  return file === test.file && titleOf(name) === titleOf(test.name);
}

function resultsOf({ testResults }, dir) {
  return testResults.flatMap(({ name: path, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, status, duration, failureMessages }) => ({
        file: relative(dir, path),
        name: fullName,
        passed: status === 'passed',
        isTimeout: duration >= TEST_LIMIT,
        why:
          duration >= TEST_LIMIT
            ? 'It reached its time limit.'
            : (failureMessages[0] ?? '').split('\n')[0],
      })),
  );
}

/** What tests leave in the system's temporary folder is removed: one that is killed cannot do it itself. */
async function spawnNode(args, { cwd, env }) {
  const folder = createTemporaryFolder('gatehouse-tests-');
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...env, NO_COLOR: '1', TMPDIR: folder },
    stdio: 'ignore',
    timeout: LIMIT,
    killSignal: 'SIGKILL',
  });
  running.add(child);
  await once(child, 'close');
  running.delete(child);
  removeTemporaryFolder(folder);
}
