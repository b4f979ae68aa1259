import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

/** The folder of the package. */
export const packageRoot = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Expects a committed file to hold what is generated now. With `UPDATE_DOCS=1` it is written instead.
 *
 * @param path - relative to the package
 */
export async function expectGenerated(path: string, text: string): Promise<void> {
  const file = packageRoot + path;
  if (process.env.UPDATE_DOCS === '1') return writeFile(file, text);
  const committed = await readFile(file, 'utf8').catch(() => '');
  expect(committed, `${path} is stale: run the tests with UPDATE_DOCS=1`).toBe(text);
}
