type Entry = string | { readonly label: string; readonly sentence?: string };

/** What a table says of a value; undefined for a value that a newer service has and this console does not know. */
export function entryOf<Value>(
  table: Readonly<Record<string, Value>>,
  key: string,
): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** The label of a value, or the value itself where the table does not have it. */
export function labelOf(table: Readonly<Record<string, Entry>>, key: string): string {
  const entry = entryOf(table, key);
  return typeof entry === 'string' ? entry : (entry?.label ?? key);
}

/** The sentence about a value, if there is one. */
export function sentenceOf(table: Readonly<Record<string, Entry>>, key: string): string {
  const entry = entryOf(table, key);
  return typeof entry === 'string' ? '' : (entry?.sentence ?? '');
}
