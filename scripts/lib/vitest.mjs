import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './workspace.mjs';

/**
 * Runs vitest on a package, or on some of its test folders. What it prints is shown when a test fails.
 *
 * @returns how many tests passed, failed and were skipped; a run that broke off counts as one failure at least.
 */
export async function runVitest({ dir, filters = [], env = {}, node = process.execPath }) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-vitest-'));
  const report = join(folder, 'report.json');
  const args = [
    join(root, 'node_modules/vitest/vitest.mjs'),
    ...['run', '--root', dir, '--reporter=default', '--reporter=json'],
    `--outputFile.json=${report}`,
    ...filters,
  ];
  try {
    const child = spawn(node, args, {
      cwd: dir,
      env: { ...process.env, NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    const [code] = await once(child, 'close');
    if (code !== 0) process.stdout.write(Buffer.concat(output));
    return countsOf(report, code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function countsOf(report, code) {
  const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
  const failed = counts.numFailedTests ?? 0;
  return {
    passed: counts.numPassedTests ?? 0,
    failed: code === 0 ? failed : Math.max(failed, 1),
    skipped: (counts.numPendingTests ?? 0) + (counts.numTodoTests ?? 0),
  };
}
