import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './workspace.mjs';

/**
 * Runs vitest on a package, or on some of its test folders. Its output is shown if a test fails.
 *
 * @returns how many tests passed, failed and were skipped. A run that broke off counts as at least one
 *   failure. `report` is vitest's JSON report, absent if it wrote none.
 */
export async function runVitest({ dir, filters = [], env = {}, node = process.execPath }) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-vitest-'));
  const file = join(folder, 'report.json');
  const args = [
    join(root, 'node_modules/vitest/vitest.mjs'),
    ...['run', '--root', dir, '--reporter=default', '--reporter=json'],
    `--outputFile.json=${file}`,
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
    return resultOf(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined, code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function resultOf(report, code) {
  const failed = report?.numFailedTests ?? 0;
  return {
    passed: report?.numPassedTests ?? 0,
    failed: code === 0 ? failed : Math.max(failed, 1),
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
    report,
  };
}
