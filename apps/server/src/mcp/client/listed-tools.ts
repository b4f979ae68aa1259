import { JsonListFilter } from '../list-filter/json-filter.ts';

/** A tool of a list, as the bytes of its entry: an object no longer shows what parsers may read differently. */
export interface ListedTool {
  readonly name: string;
  readonly entry: Buffer;
}

/** The tools in a response; no tool if a client under rules would not get the list. @param text of the message */
export function listedToolsOf(text: string): readonly ListedTool[] {
  const found: ListedTool[] = [];
  const filter = new JsonListFilter({
    makePrivate: false,
    allows(list, name, entry) {
      if (list === 'tools') found.push({ name, entry: Buffer.from(entry) });
      return true;
    },
  });
  filter.append(Buffer.from(text));
  while (filter.read());
  return (filter.take().fault ?? filter.end().fault) === undefined ? found : [];
}
