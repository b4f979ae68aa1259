import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { migrationsDirectory } from '../../src/platform/database/package-files.ts';

/** A directory with the migrations before the one of a name, deleted after the test. */
export async function migrationsBefore(name: RegExp): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-migrations-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  await cp(migrationsDirectory(), directory, { recursive: true });
  const names = (await readdir(directory)).filter((each) => /^\d/.test(each)).sort();
  const first = names.findIndex((each) => name.test(each));
  expect(first).toBeGreaterThan(0);
  for (const each of names.slice(first)) await rm(join(directory, each), { recursive: true });
  return directory;
}
