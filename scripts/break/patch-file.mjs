import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Applies a patch to the tree at `dir`. @returns a function that takes it back. */
export function applyPatch({ file, search, replace }, dir) {
  const path = join(dir, file);
  const text = readFileSync(path, 'utf8');
  // A function, because `$` has a meaning in a replacement text.
  writeFileSync(
    path,
    text.replace(search, () => replace),
  );
  return () => writeFileSync(path, text);
}

/** What is wrong with the list of patches, one sentence each; nothing when all can be applied to `dir`. */
export function findFaults(patches, dir) {
  const names = new Set();
  const texts = new Map();
  const faults = [];
  for (const { name, file, search, replace, test } of patches) {
    if (names.has(name)) faults.push(`${name}: there are two patches of this name.`);
    names.add(name);
    if (!existsSync(join(dir, test.package, test.file))) {
      faults.push(`${name}: there is no ${test.package}/${test.file}.`);
    }
    if (!texts.has(file)) texts.set(file, readText(join(dir, file)));
    const times = texts.get(file).split(search).length - 1;
    if (times !== 1) faults.push(`${name}: its search text stands ${times} times in ${file}.`);
    if (search === replace) faults.push(`${name}: it changes nothing.`);
  }
  return faults;
}

function readText(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
