import { readListPage } from '../../../src/mcp/aggregate/read-list-page.ts';
import {
  type ListedAttachment,
  type SplicedList,
  spliceList,
} from '../../../src/mcp/aggregate/splice-list.ts';
import type { ListKey } from '../../../src/mcp/methods.ts';

/** Its prefix is in no entry of these tests. */
export const attachment: ListedAttachment = {
  integrationId: '0198c0de-0000-7000-8000-000000000001',
  alias: 'zq7',
  aliases: new Set(['zq7']),
  nameLength: 64,
  integrationName: 'Git "Hub", $& é',
};

export const MEMBER = `"gatehouse/integration":${JSON.stringify({
  id: attachment.integrationId,
  alias: attachment.alias,
  name: attachment.integrationName,
})}`;

/** A response with these entries, as JSON. */
export function pageOf(entries: readonly string[], list: ListKey = 'tools', rest = ''): Buffer {
  return Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"${list}":[${entries.join(',')}]${rest}}}`);
}

/** What the aggregate lists of pages of entries. */
export async function splice(
  pages: readonly (readonly string[])[],
  list: ListKey = 'tools',
  listed = attachment,
): Promise<SplicedList & { readonly texts: readonly string[] }> {
  const read = await Promise.all(
    pages.map(async (entries) => {
      const page = await readListPage(pageOf(entries, list), list);
      if (typeof page === 'string') throw new Error(page);
      return page.entries;
    }),
  );
  const spliced = await spliceList(list, read.flat(), listed);
  return { ...spliced, texts: spliced.entries.map(({ bytes }) => bytes.toString()) };
}
