/**
 * The upper bounds of the buckets in which calls are counted by how long they took, in milliseconds. A call that took
 * longer than the last is in one bucket more.
 */
export const latencyBounds = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 10_000, 60_000] as const;

export const latencyBuckets = latencyBounds.length + 1;

/** The place of a call's bucket. @param ms milliseconds */
export function latencyBucketOf(ms: number): number {
  let bucket = 0;
  while (bucket < latencyBounds.length && ms > (latencyBounds[bucket] ?? 0)) bucket += 1;
  return bucket;
}

/**
 * How long at most the given share of calls took, in milliseconds with one decimal: within its bucket, calls are taken to
 * be evenly spread. The last bucket has no upper bound, so of it the lower one is given. Null without calls.
 *
 * @param share between 0 and 1
 */
export function latencyPercentile(latency: readonly number[], share: number): number | null {
  const all = latency.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  let left = share * all;
  for (const [bucket, count] of latency.entries()) {
    const lower = latencyBounds[bucket - 1] ?? 0;
    const upper = latencyBounds[bucket];
    if (upper === undefined) return lower;
    if (count > 0 && left <= count)
      return Math.round((lower + (left / count) * (upper - lower)) * 10) / 10;
    left -= count;
  }
  return null;
}
