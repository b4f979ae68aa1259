/** Milliseconds after which work that has not ended frees its place for other work. */
const PLACE = 1_000;

/**
 * Does work for each item, at most `places` at a time, and waits for all of it.
 *
 * @returns the results in the order of the items
 */
export async function gather<Item, Result>(
  items: readonly Item[],
  places: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Promise<Result>[] = [];
  let free = places;
  let onFree: (() => void) | undefined;
  const release = (): void => {
    free += 1;
    onFree?.();
  };
  for (const item of items) {
    while (free === 0) {
      await new Promise<void>((resolve) => {
        onFree = resolve;
      });
    }
    free -= 1;
    const result = work(item);
    results.push(result);
    void within(result, PLACE).then(release);
  }
  return Promise.all(results);
}

/** Resolves when the work has ended, at the latest after `time` milliseconds: undefined if it failed or is late. */
export async function within<T>(work: Promise<T>, time: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), time);
  });
  try {
    return await Promise.race([work, late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
