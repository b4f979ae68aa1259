import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Applies a patch to the tree at `dir`. @returns a function that undoes it. */
export function applyPatch({ file, search, replace }, dir) {
  const path = join(dir, file);
  const text = readFileSync(path, 'utf8');
  // A function, because `$` has a special meaning in a replacement string.
  writeFileSync(
    path,
    text.replace(search, () => replace),
  );
  return () => writeFileSync(path, text);
}

/** What is wrong with the list of patches, in one sentence each. Empty if all can be applied to `dir`. */
export function findPatchErrors(patches, dir) {
  const names = new Set();
  const texts = new Map();
  const errors = [];
  for (const { name, file, search, replace, test } of patches) {
    if (names.has(name)) errors.push(`${name}: there are two patches with this name.`);
    names.add(name);
    if (!existsSync(join(dir, test.package, test.file))) {
      errors.push(`${name}: there is no ${test.package}/${test.file}.`);
    }
    if (!texts.has(file)) texts.set(file, readText(join(dir, file)));
    const times = texts.get(file).split(search).length - 1;
    if (times !== 1) errors.push(`${name}: its search text occurs ${times} times in ${file}.`);
    if (search === replace) errors.push(`${name}: it changes nothing.`);
  }
  return errors;
}

function readText(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
