import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const stamp = `${root}scripts/lib/stamp.mjs`;
const { filesOf }: { filesOf(path: string): string[] } = await import(stamp);

/** The files that git ignores: builds, caches, and notes of tools. */
function ignoredOf(files: readonly string[]): string[] {
  const { status, stdout, error } = spawnSync('git', ['check-ignore', '--stdin'], {
    cwd: root,
    input: files.join('\n'),
    encoding: 'utf8',
  });
  expect(error).toBeUndefined();
  expect(status).toBeLessThanOrEqual(1);
  return stdout.split('\n').filter(Boolean);
}

describe('the inputs of a build', () => {
  // Otherwise a test that builds what is stale builds while others read it.
  it.each(['apps', 'packages'])('in %s hold nothing that a tool writes', (folder) => {
    const files = filesOf(root + folder);
    expect(files.length).toBeGreaterThan(100);
    expect(ignoredOf(files)).toEqual([]);
  });
});
