/**
 * For a cache of `lru-cache` that may grow large. With `max` it makes room for all entries at once, which for the caches
 * of a node is 100 ms of its start and 12 MB.
 */
export function atMost(entries: number) {
  return { maxSize: entries, sizeCalculation: one };
}

function one(): number {
  return 1;
}
