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
  const promises = readPromises(dir);
  return patches.flatMap((patch, index) => {
    const { name, promise, file, search, replace, test } = patch;
    const named = promises.filter((text) => text.startsWith(promise)).length;
    const times = readText(join(dir, file)).split(search).length - 1;
    const isRepeated = patches.findIndex((other) => other.name === name) !== index;
    return [
      isRepeated && 'there are two patches with this name.',
      named !== 1 && `${named} promises begin with "${promise}".`,
      !existsSync(join(dir, test.file)) && `there is no ${test.file}.`,
      times !== 1 && `its search text occurs ${times} times in ${file}.`,
      search === replace && 'it changes nothing.',
    ]
      .filter(Boolean)
      .map((error) => `${name}: ${error}`);
  });
}

/** The promises that no patch breaks. */
export function findUnbroken(patches, dir) {
  return readPromises(dir).filter(
    (text) => !patches.some(({ promise }) => text.startsWith(promise)),
  );
}

/** The first cell of each row of the tables. */
function readPromises(dir) {
  const rows = readText(join(dir, 'docs/promises.md')).matchAll(/^\| (?!promise |-)(.+?) \| /gm);
  return Array.from(rows, ([, promise]) => promise);
}

function readText(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
