type Ending = () => unknown;

/** Modules stay from file to file, so a hook at the top of one would run after the first file alone. */
const endings: Ending[] = [];

/** Does something when the test file that runs now has ended; what was asked for last is done first. */
export function afterFile(ending: Ending): void {
  endings.push(ending);
}

/**
 * Called after each file by `each-file.ts`.
 *
 * @throws what the first ending that failed threw, when all have been done.
 */
export async function endFile(): Promise<void> {
  const failures: unknown[] = [];
  for (let ending = endings.pop(); ending !== undefined; ending = endings.pop()) {
    await Promise.resolve()
      .then(ending)
      .catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
