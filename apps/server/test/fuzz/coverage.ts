import type { Histogram } from './histogram.ts';
import { type FuzzOperation, operations } from './operations.ts';
import { isUnreachable } from './unreachable.ts';

/** Declared pairs of operation and status that never occurred, although the list does not rule them out. */
export function missingPairs(histogram: Histogram): string[] {
  return pairs(histogram, (count, isListed) => count === 0 && !isListed);
}

/** The operations of which a declared status has not come yet. */
export function incompleteOperations(histogram: Histogram): FuzzOperation[] {
  const missing = missingPairs(histogram);
  return operations.filter(({ id }) => missing.some((pair) => pair.startsWith(`${id} `)));
}

/** Pairs that occurred although the list rules them out. */
export function unexpectedPairs(histogram: Histogram): string[] {
  return pairs(histogram, (count, isListed) => count > 0 && isListed);
}

function pairs(
  histogram: Histogram,
  isWanted: (count: number, isListed: boolean) => boolean,
): string[] {
  return operations.flatMap(({ id, declared }) =>
    [...declared.keys()]
      .filter((status) => isWanted(histogram.occurrences(id, status), isUnreachable(id, status)))
      .map((status) => `${id} ${status}`),
  );
}
