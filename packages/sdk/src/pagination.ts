import { ApiPromise, type ApiResponse } from './api-promise.ts';
import { RepeatedCursorError } from './errors.ts';

/** The body of a list answer. */
export interface ListBody<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** Fetches the page at a cursor; the first one without. */
export type FetchPage<T> = (cursor?: string) => Promise<ApiResponse<ListBody<T>>>;

/** The cursors that led to a page, latest first. */
interface Trail {
  readonly cursor: string;
  readonly earlier: Trail | undefined;
}

/** One page of a list. */
export class Page<T> {
  readonly items: readonly T[];
  /** The `cursor` of the next page, `null` on the last one. Store it to go on later. */
  readonly nextCursor: string | null;
  readonly #fetchPage: FetchPage<T>;
  readonly #trail: Trail | undefined;

  /** @internal */
  constructor(body: ListBody<T>, fetchPage: FetchPage<T>, trail: Trail | undefined) {
    this.items = body.items;
    this.nextCursor = body.nextCursor || null;
    this.#fetchPage = fetchPage;
    this.#trail = trail;
  }

  /** Whether {@link Page.getNextPage} has a page to fetch. An empty page may have a next one. */
  hasNextPage(): boolean {
    return this.nextCursor !== null;
  }

  /**
   * The next page, or `null` after the last one.
   *
   * @throws RepeatedCursorError if the cursor led to an earlier page already.
   * @throws ApiError and the errors of any other call.
   */
  async getNextPage(): Promise<Page<T> | null> {
    const cursor = this.nextCursor;
    if (cursor === null) return null;
    for (let step = this.#trail; step !== undefined; step = step.earlier) {
      if (step.cursor !== cursor) continue;
      throw new RepeatedCursorError('The list returned a cursor for the second time.');
    }
    const { data } = await this.#fetchPage(cursor);
    return new Page(data, this.#fetchPage, { cursor, earlier: this.#trail });
  }
}

/**
 * What a list method returns: await it for one {@link Page}, or iterate it for all items.
 *
 * @example
 * ```ts
 * for await (const integration of gatehouse.integrations.list()) use(integration);
 * ```
 */
export class ListPromise<T> extends ApiPromise<Page<T>> implements AsyncIterable<T> {
  /**
   * @internal
   * @param cursor - where the caller starts, if not at the first page
   */
  constructor(fetchPage: FetchPage<T>, cursor: string | undefined) {
    super(firstPage(fetchPage, cursor));
  }

  /** All items, page after page, each page fetched when the one before is used up. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let page: Page<T> | null = await this;
    while (page !== null) {
      yield* page.items;
      page = await page.getNextPage();
    }
  }
}

async function firstPage<T>(
  fetchPage: FetchPage<T>,
  cursor: string | undefined,
): Promise<ApiResponse<Page<T>>> {
  const response = await fetchPage(cursor);
  const trail = cursor === undefined ? undefined : { cursor, earlier: undefined };
  return { ...response, data: new Page(response.data, fetchPage, trail) };
}
