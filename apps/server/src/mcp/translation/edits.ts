import type { Span } from '../envelope/message.ts';
import type { Edit } from '../list-filter/options.ts';
import type { Member, ObjectSpan } from './members.ts';

/** Another value in the place of one. @param value raw JSON */
export function replacement({ start, end }: Span, value: string): Edit {
  return { start, end, replacement: Buffer.from(value) };
}

/**
 * An object without some of its members, and with others before those that stay. A comma goes with the member after it, or
 * before the first that stays.
 *
 * @param dropped those of its members that go
 * @param added raw JSON members with commas between them; empty for no members
 */
export function membersChanged(
  { start, count }: ObjectSpan,
  dropped: readonly Member[],
  added = '',
): Edit[] {
  const edits: Edit[] = [];
  if (added !== '') {
    const comma = dropped.length < count ? ',' : '';
    edits.push(replacement({ start: start + 1, end: start + 1 }, `${added}${comma}`));
  }
  dropped.forEach(({ index, keyStart, lastEnd, nextKey, value }, before) => {
    const isFirst = index === before;
    const span = isFirst
      ? { start: keyStart, end: nextKey ?? value.end }
      : { start: lastEnd, end: value.end };
    edits.push(replacement(span, ''));
  });
  return edits;
}

/** Bytes changed as the edits say, which do not overlap. */
export function edited(bytes: Buffer, edits: readonly Edit[]): Buffer {
  const parts: Buffer[] = [];
  let read = 0;
  for (const { start, end, replacement: bytesThere } of edits.toSorted(byStart)) {
    parts.push(bytes.subarray(read, start), bytesThere);
    read = end;
  }
  return Buffer.concat([...parts, bytes.subarray(read)]);
}

/** Of two at one position the one that only adds comes first; sorting is stable. */
function byStart(one: Edit, other: Edit): number {
  return one.start - other.start || one.end - other.end;
}
