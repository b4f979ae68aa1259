import { hash } from 'node:crypto';

const MAX_PAGES = 50;
/** Entries of all pages together. */
export const MAX_LISTED = 5_000;
/** Bytes of all entries together. */
const MAX_BYTES = 16 * 1024 * 1024;

export interface ListedPage<Entry> {
  readonly entries: readonly Entry[];
  readonly nextCursor: string | undefined;
}

export interface ReadPages<Entry, Failure> {
  readonly entries: readonly Entry[];
  /** The list has more, or may have: a page has not come, or the list is longer than what is read. */
  readonly isPartial: boolean;
  /** Why a page has not come. */
  readonly failure: Failure | undefined;
}

/**
 * Reads a list page by page. Some servers name a next page where no other page is, and then send one again: that ends the
 * list. An entry that an earlier page had is not listed again.
 *
 * @param request requests a page, the first one without a cursor
 * @param bytesOf an entry as it came
 */
export async function readPages<Entry, Failure extends string>(
  request: (cursor: string | undefined) => Promise<ListedPage<Entry> | Failure>,
  bytesOf: (entry: Entry) => Buffer,
): Promise<ReadPages<Entry, Failure>> {
  const entries: Entry[] = [];
  const pages = new Set<string>();
  const listed = new Set<string>();
  const end = (isPartial: boolean, failure?: Failure) => ({ entries, isPartial, failure });
  let bytes = 0;
  let cursor: string | undefined;
  while (pages.size < MAX_PAGES) {
    const page = await request(cursor);
    if (typeof page === 'string') return end(true, page);
    cursor = page.nextCursor;
    const hashes = page.entries.map((entry) => hash('sha256', bytesOf(entry)));
    const identity = [cursor, ...hashes].join();
    if (cursor !== undefined && pages.has(identity)) return end(false);
    pages.add(identity);
    for (const [index, entry] of page.entries.entries()) {
      if (listed.has(hashes[index] as string)) continue;
      bytes += bytesOf(entry).length;
      if (entries.length === MAX_LISTED || bytes > MAX_BYTES) return end(true);
      entries.push(entry);
    }
    for (const each of hashes) listed.add(each);
    if (cursor === undefined) return end(false);
  }
  return end(true);
}
