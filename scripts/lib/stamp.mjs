import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './workspace.mjs';

/** Folders without input for a build. What git ignores is in one of them, or has the ending below. */
const SKIPPED = new Set([
  'node_modules',
  'dist',
  'generated',
  'test',
  'test-d',
  '.cache',
  'coverage',
  'public',
]);
const NOTES_OF_THE_COMPILER = '.tsbuildinfo';

/** The check of types writes its notes after the build: they must not make it stale. */
const isInput = (name) => !SKIPPED.has(name) && !name.endsWith(NOTES_OF_THE_COMPILER);

/**
 * Runs `step`, unless it ran before with the same inputs on the same Node and its outputs still
 * exist. The stamp is deleted before the step and written after it, so that an interrupted step runs
 * again.
 */
export async function runUnlessDone({ name, inputs, outputs }, step) {
  const stamp = join(root, '.cache', 'stamps', name.replaceAll(/\W+/g, '-'));
  const hash = hashOf(inputs);
  const isDone =
    existsSync(stamp) && readFileSync(stamp, 'utf8') === hash && outputs.every(existsSync);
  if (isDone) return false;
  rmSync(stamp, { force: true });
  await step();
  mkdirSync(join(root, '.cache', 'stamps'), { recursive: true });
  writeFileSync(stamp, hash);
  return true;
}

function hashOf(inputs) {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([process.version, process.platform, process.arch]));
  for (const file of inputs.flatMap(filesOf)) {
    hash.update(`\0${relative(root, file)}\0`);
    hash.update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** What a build reads of a file or folder. */
export function filesOf(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .filter(isInput)
    .sort()
    .flatMap((name) => filesOf(join(path, name)));
}
