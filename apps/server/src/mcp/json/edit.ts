import type { JsonNode, Span } from './node.ts';

/** The bytes between two positions are replaced, cut, or added where both are equal. */
export interface Edit extends Span {
  readonly replacement: Buffer;
}

const NOTHING = Buffer.alloc(0);

/** @param value raw JSON */
export function replacement({ start, end }: Span, value: string): Edit {
  return { start, end, replacement: Buffer.from(value) };
}

/** @param value raw JSON */
export function addition(at: number, value: string): Edit {
  return replacement({ start: at, end: at }, value);
}

export function removal({ start, end }: Span): Edit {
  return { start, end, replacement: NOTHING };
}

/**
 * The edits that take members from an object, and add others before those that stay. A comma goes with the member after
 * it, or before the first that stays.
 *
 * @param dropped in their order
 * @param added raw JSON members with commas between them; empty for no members
 */
export function membersChanged(
  { start, count }: JsonNode,
  dropped: readonly JsonNode[],
  added = '',
): Edit[] {
  const removals = dropped.map(({ index, keyStart, previousEnd, nextKey, end }, before) =>
    index === before
      ? removal({ start: keyStart, end: nextKey ?? end })
      : removal({ start: previousEnd, end }),
  );
  if (added === '') return removals;
  const comma = dropped.length < count ? ',' : '';
  return [addition(start + 1, `${added}${comma}`), ...removals];
}

/**
 * Bytes changed by edits that do not overlap. Of two at one position, the one that only adds comes first.
 *
 * @param from the position of the first byte
 */
export function edit(bytes: Buffer, edits: readonly Edit[], from = 0): Buffer {
  if (edits.length === 0) return bytes;
  const sorted = edits.toSorted((one, other) => one.start - other.start || one.end - other.end);
  const chunks: Buffer[] = [];
  let position = 0;
  for (const { start, end, replacement } of sorted) {
    chunks.push(bytes.subarray(position, start - from), replacement);
    position = end - from;
  }
  chunks.push(bytes.subarray(position));
  return Buffer.concat(chunks);
}
