import type { InfiniteData } from '@tanstack/react-query';

/** A page of a list, as plain data that can be compared with the last. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

export function pageOf<Item>({ items, nextCursor }: ListPage<Item>): ListPage<Item> {
  return { items, nextCursor };
}

export function itemsOf<Item>(data: InfiniteData<ListPage<Item>>): Item[] {
  return data.pages.flatMap(({ items }) => items);
}

/** How many there are; undefined until all are loaded, since a count of the first pages alone would be wrong. */
export function countOf(data: InfiniteData<ListPage<unknown>> | undefined): number | undefined {
  if (data === undefined || data.pages.at(-1)?.nextCursor !== null) return undefined;
  return itemsOf(data).length;
}
