import { applyPatch } from './patch-file.mjs';
import { isResultOf, packageOf, runTests } from './run-tests.mjs';

/**
 * Applies one patch to the copy at `dir`, runs its test, and undoes the patch.
 *
 * @returns whether the named test failed, what to print, and why the test failed.
 */
export async function tryPatch({ test, ...patch }, dir) {
  const { name, file, store } = test;
  const undo = applyPatch(patch, dir);
  try {
    const results = await runTests({ files: [file], names: [name], store }, dir);
    const found = results.find((result) => isResultOf(result, test));
    if (found?.passed === false) {
      const outcome = found.isTimeout ? 'red at its time limit' : 'red';
      return { isNoticed: true, text: `${outcome}: ${name}`, why: found.why };
    }
    const all = await runTests({ files: [file], store }, dir);
    const other = all.find(({ passed }) => !passed);
    if (other) return { isNoticed: false, text: `red, but another test: ${other.name}` };
    if (!found) return { isNoticed: false, text: 'red, but the test could not run' };
    return { isNoticed: false, text: `STILL GREEN: ${name}` };
  } finally {
    undo();
  }
}

/** The tests that can run together: those of one package on one store. */
export function groupsOf(tests) {
  const groups = new Map();
  for (const test of tests) {
    const key = `${packageOf(test.file)} ${test.store}`;
    groups.set(key, [...(groups.get(key) ?? []), test]);
  }
  return groups.values();
}

/** The tests of a group that do not pass before anything is patched. Each file runs once. */
export async function findFailing(tests, dir) {
  const files = [...new Set(tests.map(({ file }) => file))];
  const names = [...new Set(tests.map(({ name }) => name))];
  const results = await runTests({ files, names, store: tests[0].store }, dir);
  return tests.flatMap((test) => {
    const found = results.find((result) => isResultOf(result, test));
    if (found?.passed) return [];
    return [`${test.file}: ${test.name}: ${found?.why ?? 'no test of this name ran'}`];
  });
}
