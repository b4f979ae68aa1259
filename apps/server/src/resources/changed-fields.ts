import { isDeepStrictEqual } from 'node:util';

/** The fields that differ, in the form of an event. */
export function changedFields<Row extends object>(before: Row, after: Row) {
  const fields = Object.keys(after) as Extract<keyof Row, string>[];
  return fields
    .filter((field) => !isDeepStrictEqual(before[field], after[field]))
    .map((field) => ({ field, from: before[field], to: after[field] }));
}
