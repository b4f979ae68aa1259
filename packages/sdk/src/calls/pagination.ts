import { InvalidArgumentError, RepeatedCursorError } from '../errors/errors.ts';
import type { RawResponse } from '../transport/response.ts';
import { ApiPromise } from './api-promise.ts';

/** The body of a list response. */
export interface ListBody<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** Fetches and parses the pages of a list. */
export interface PageSource<T> {
  /** Fetches the page at a cursor, or without one, the page that the call started with. */
  fetch(cursor?: string): Promise<RawResponse>;
  parse(response: RawResponse): ListBody<T>;
}

/** The cursors that led to a page, latest first. */
interface Trail {
  readonly cursor: string;
  readonly earlier: Trail | undefined;
}

/**
 * One page of a list.
 *
 * @example
 * ```ts
 * const page: Page<Integration> = await gatehouse.integrations.list({ limit: 10 });
 * const later = await gatehouse.integrations.list({ cursor: page.nextCursor ?? undefined });
 * ```
 */
export class Page<T> {
  readonly items: readonly T[];
  /** The `cursor` of the next page, `null` on the last one. Store it to continue later. */
  readonly nextCursor: string | null;
  readonly #source: PageSource<T>;
  readonly #trail: Trail | undefined;

  /** @internal */
  constructor(response: RawResponse, source: PageSource<T>, trail: Trail | undefined) {
    const { items, nextCursor } = source.parse(response);
    this.items = items;
    this.nextCursor = nextCursor || null;
    this.#source = source;
    this.#trail = trail;
  }

  /**
   * Whether {@link Page.getNextPage} has a page to fetch. An empty page may have a next one.
   *
   * @example
   * ```ts
   * const page = await gatehouse.integrations.list();
   * console.log(page.hasNextPage() ? 'there are more' : 'that is all');
   * ```
   */
  hasNextPage(): boolean {
    return this.nextCursor !== null;
  }

  /**
   * The next page, or `null` after the last one.
   *
   * @throws RepeatedCursorError if the cursor was used for an earlier page.
   * @throws ApiError and the errors of any other call.
   *
   * @example
   * ```ts
   * const first = await gatehouse.integrations.list();
   * const second = await first.getNextPage();
   * console.log(second?.items ?? 'the first page was the last');
   * ```
   */
  async getNextPage(): Promise<Page<T> | null> {
    const cursor = this.nextCursor;
    if (cursor === null) return null;
    for (let step = this.#trail; step !== undefined; step = step.earlier) {
      if (step.cursor !== cursor) continue;
      throw new RepeatedCursorError('The list repeated a cursor.');
    }
    const response = await this.#source.fetch(cursor);
    return createPage(response, this.#source, { cursor, earlier: this.#trail });
  }

  /**
   * This page and those after it, each fetched when it is reached.
   *
   * @example
   * ```ts
   * const first = await gatehouse.integrations.list();
   * for await (const page of first.iterPages()) console.log(page.items.length);
   * ```
   */
  async *iterPages(): AsyncGenerator<Page<T>, void, undefined> {
    let page: Page<T> | null = this;
    while (page !== null) {
      yield page;
      page = await page.getNextPage();
    }
  }
}

/** A class that names itself would be called `_Page` in the bundle. */
function createPage<T>(
  response: RawResponse,
  source: PageSource<T>,
  trail: Trail | undefined,
): Page<T> {
  return new Page(response, source, trail);
}

/**
 * Returned by list methods. Await it for one {@link Page}, or iterate it for all items.
 *
 * @example
 * ```ts
 * for await (const integration of gatehouse.integrations.list()) console.log(integration.name);
 *
 * const firstPage = await gatehouse.integrations.list({ limit: 10 });
 * console.log(firstPage.items.length);
 * ```
 */
export class ListPromise<T> extends ApiPromise<Page<T>> implements AsyncIterable<T> {
  /**
   * @internal
   * @param start - the cursor to start from, if not the first page
   */
  constructor(source: PageSource<T>, start: string | undefined) {
    const trail = start === undefined ? undefined : { cursor: start, earlier: undefined };
    super(source.fetch(), (response) => createPage(response, source, trail));
  }

  /**
   * All pages, each fetched once the previous one has been consumed.
   *
   * @example
   * ```ts
   * for await (const page of gatehouse.integrations.list({ cursor }).iterPages()) {
   *   console.log(page.items.length);
   *   await store(page.nextCursor);
   * }
   * ```
   */
  async *iterPages(): AsyncGenerator<Page<T>, void, undefined> {
    yield* (await this).iterPages();
  }

  /** All items, page after page. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.iterPages()) yield* items;
  }

  /**
   * The first items of the list, at most `max`. No more pages are fetched than needed.
   *
   * @throws InvalidArgumentError unless `max` is a positive integer.
   *
   * @example
   * ```ts
   * const integrations = await gatehouse.integrations.list().toArray({ max: 1000 });
   * ```
   */
  async toArray(options: ToArrayOptions): Promise<T[]> {
    // JavaScript callers may omit the options.
    const max = options?.max;
    if (!Number.isSafeInteger(max) || max < 1) {
      // The request has been sent. Its failure must not become an unhandled rejection.
      this.catch(() => undefined);
      throw new InvalidArgumentError('max must be a positive integer.');
    }
    const found: T[] = [];
    for await (const item of this) {
      if (found.push(item) === max) break;
    }
    return found;
  }
}

/**
 * Options of {@link ListPromise.toArray}.
 */
export interface ToArrayOptions {
  /** How many items to return at most. There is no default, since lists have no limit. */
  readonly max: number;
}
