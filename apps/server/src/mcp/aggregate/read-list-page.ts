import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { MAX_AT_ONCE } from '../json/parse.ts';
import { JsonScanner } from '../json/scanner.ts';
import type { ListKey } from '../methods.ts';
import { type ListPage, type PageFault, PageReader } from './page-reader.ts';

/**
 * Reads the entries of a response to `tools/list`, or of another list, without parsing them. A long response is read
 * with pauses in which other calls go on.
 *
 * @param page a JSON-RPC response; the entries share its bytes
 */
export async function readListPage(page: Buffer, list: ListKey): Promise<ListPage | PageFault> {
  if (!isUtf8(page)) return 'unreadable';
  const reader = new PageReader(page, list);
  const scanner = new JsonScanner(reader);
  for (let start = 0; start < page.length; start += MAX_AT_ONCE) {
    if (start > 0) await setImmediate();
    if (!scanner.feed(page.subarray(start, start + MAX_AT_ONCE))) return 'unreadable';
  }
  return scanner.end() ? reader.page : 'unreadable';
}
