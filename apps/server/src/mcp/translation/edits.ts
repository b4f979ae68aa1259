import { type Edit, HeldBytes } from '../held-bytes.ts';
import type { Span } from '../json/node.ts';
import type { Member, ObjectSpan } from './members.ts';

const NOTHING = Buffer.alloc(0);

/** Another value in the place of one. @param value raw JSON */
export function replacement({ start, end }: Span, value: string): Edit {
  return { start, end, replacement: Buffer.from(value) };
}

function removal({ start, end }: Span): Edit {
  return { start, end, replacement: NOTHING };
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
    edits.push(removal(span));
  });
  return edits;
}

/** Bytes changed as the edits say, which do not overlap. */
export function edited(bytes: Buffer, edits: readonly Edit[]): Buffer {
  const held = new HeldBytes();
  held.append(bytes);
  return held.take(bytes.length, edits.toSorted(byStart));
}

/** Of two at one position the one that only adds comes first; sorting is stable. */
function byStart(one: Edit, other: Edit): number {
  return one.start - other.start || one.end - other.end;
}
