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

const REFRESH = 5_000;

interface Loaded {
  readonly state: {
    readonly error: unknown;
    readonly data: { readonly pages: readonly unknown[] } | undefined;
  };
}

/** The more pages a list has in view, the less often they are read again: one request in five seconds. */
export function refreshOf({ state: { data, error } }: Loaded): number | false {
  return error === null ? REFRESH * (data?.pages.length ?? 1) : false;
}
