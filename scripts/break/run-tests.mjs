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
 * Runs the named tests of some files of a package in the copy at `dir`. Without names, runs all.
 *
 * @returns each test that ran: its file and name, whether it passed, and why not.
 */
export function runTests({ kind, ...tests }, dir) {
  return kind === 'types' ? runTypePins(tests, dir) : runVitest(tests, dir);
}

async function runVitest({ package: folder, files, store = 'pglite', names, isBuilt }, dir) {
  if (isBuilt) await buildPackage(join(dir, folder), dir);
  const report = join(dir, 'report.json');
  rmSync(report, { force: true });
  const args = [
    join(dir, 'node_modules/vitest/vitest.mjs'),
    ...['run', '--root', join(dir, folder), `--testTimeout=${TEST_LIMIT}`],
    `--expect.poll.timeout=${POLL_LIMIT}`,
    ...['--reporter=json', `--outputFile=${report}`],
    ...(names === undefined ? [] : ['--testNamePattern', patternOf(names)]),
    ...files,
  ];
  await spawnNode(args, {
    cwd: join(dir, folder),
    env: { ...process.env, GATEHOUSE_TEST_DATABASE: store },
  });
  if (!existsSync(report)) return [];
  return resultsOf(JSON.parse(readFileSync(report, 'utf8')), join(dir, folder));
}

function buildPackage(cwd, dir) {
  return spawnNode([join(dir, 'node_modules/tsup/dist/cli-default.js')], { cwd, env: process.env });
}

function patternOf(names) {
  const escaped = names.map((name) => titleOf(name).replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return `^(?:${escaped.join('|')})$`;
}

/** vitest joins titles with spaces where a patch has ` > `. */
function titleOf(name) {
  return name.replaceAll(' > ', ' ');
}

/** Whether a result belongs to the named test. */
export function isResultOf({ file, name }, test) {
  return file === test.file && (name === test.name || name === titleOf(test.name));
}

function resultsOf({ testResults }, folder) {
  return testResults.flatMap(({ name: path, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, status, duration, failureMessages }) => ({
        file: relative(folder, path),
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

/** A type pin is a line of a file that the type checker reads. The text of the line is its name. */
async function runTypePins({ package: folder, files, names }, dir) {
  const cwd = join(dir, folder);
  const compiler = join(dir, 'node_modules/typescript/bin/tsc');
  const args = [compiler, '--project', 'tsconfig.test.json', '--pretty', 'false'];
  const errors = (await spawnNode(args, { cwd, env: process.env })).split('\n');
  return files.flatMap((file) => {
    const errorIn = (line) => errors.find((error) => error.startsWith(`${file}(${line},`));
    return readFileSync(join(cwd, file), 'utf8')
      .split('\n')
      .map((text, index) => ({ file, name: text.trim(), why: errorIn(index + 1) }))
      .filter(({ name, why }) => names?.includes(name) ?? why !== undefined)
      .map(({ why, ...pin }) => ({ ...pin, passed: why === undefined, why: why ?? '' }));
  });
}

/** What tests leave in the system's temporary folder is removed: one that is killed cannot do it itself. */
async function spawnNode(args, { cwd, env }) {
  const folder = createTemporaryFolder('gatehouse-tests-');
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...env, NO_COLOR: '1', TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: LIMIT,
    killSignal: 'SIGKILL',
  });
  running.add(child);
  const output = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  await once(child, 'close');
  running.delete(child);
  removeTemporaryFolder(folder);
  return Buffer.concat(output).toString();
}
