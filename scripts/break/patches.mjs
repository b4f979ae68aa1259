import { readdirSync } from 'node:fs';

const folder = new URL('patches/', import.meta.url);
const files = readdirSync(folder).sort();

/**
 * Every patch, by the sections of docs/promises.md: its name, the beginning of the promise that it breaks, what
 * that would mean for a user, the file, a text that occurs there exactly once, its replacement, and the test that
 * must fail. A test with `store` needs PostgreSQL.
 */
export const patches = (
  await Promise.all(files.map(async (file) => (await import(new URL(file, folder))).patches))
).flat();
