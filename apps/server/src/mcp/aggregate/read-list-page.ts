import { isUtf8 } from 'node:buffer';
import { ARRAY } from '../json/node.ts';
import { parse } from '../json/parse.ts';
import { arrayOf, objectOf, type Shape, VALUE } from '../json/shape.ts';
import { type ListKey, listKeys } from '../methods.ts';
import { entryShapeOf, type PageEntry, pageEntryOf } from './page-entry.ts';

/** Entries of a page. */
const MAX_ENTRIES = 5_000;

const DIGITS = new Set(Buffer.from('0123456789'));

/** Why a response gives no list. */
export type PageFault =
  /** No JSON of UTF-8, or two results or lists. */
  | 'unreadable'
  /** An error, or a result without the list. */
  | 'no_list'
  /** More than 5,000. */
  | 'too_many_entries';

/** A page of a list as an upstream sent it. */
export interface ListPage {
  readonly entries: readonly PageEntry[];
  readonly nextCursor: string | undefined;
  readonly ttlMs: number | undefined;
}

/** Of a page of each list. */
const SHAPES: ReadonlyMap<ListKey, Shape> = new Map(
  listKeys.map((list) => {
    const entries = arrayOf(entryShapeOf(list), MAX_ENTRIES);
    return [list, objectOf([], { result: objectOf(['nextCursor', 'ttlMs'], { [list]: entries }) })];
  }),
);

/**
 * Reads the entries of a response to `tools/list`, or of another list, without parsing them. Nothing else of the response
 * is passed on, so that outside of the entries it does not matter what other parsers may take keys for. A long response
 * is read with pauses in which other calls go on.
 *
 * @param page a JSON-RPC response; the entries share its bytes
 */
export async function readListPage(page: Buffer, list: ListKey): Promise<ListPage | PageFault> {
  const root = isUtf8(page) ? await parse(page, SHAPES.get(list) ?? VALUE) : undefined;
  if (root === undefined) return 'unreadable';
  const [result, ...otherResults] = root.membersWith((name) => name === 'result');
  const lists = result?.membersWith((name) => name === list) ?? [];
  const [found, ...otherLists] = lists.filter(({ kind }) => kind === ARRAY);
  if (otherResults.length > 0 || otherLists.length > 0) return 'unreadable';
  if (result === undefined || found === undefined) return 'no_list';
  if (found.count > MAX_ENTRIES) return 'too_many_entries';
  const cursor = result.membersWith((name) => name === 'nextCursor').at(-1);
  const ttl = result
    .membersWith((name) => name === 'ttlMs')
    .findLast(({ kind }) => DIGITS.has(kind));
  return {
    entries: found.items.map((entry) => pageEntryOf(page, list, entry)),
    nextCursor: cursor?.string(page, page.length) ?? undefined,
    ttlMs: ttl && Number(ttl.raw(page)),
  };
}
