import { Button } from './button.tsx';

interface Paged {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
}

interface MorePagesProps {
  readonly query: Paged;
  readonly loaded: number;
  /** What they are, in the plural. */
  readonly of: string;
  /** Whether the search finds all of them, or as the filters what is loaded. */
  readonly isSearchOfAll?: boolean;
  /** What is said instead of what searches find. */
  readonly note?: string | undefined;
}

/** Below a list that has more pages: what is shown, and the next ones. */
export function MorePages({ query, loaded, of, isSearchOfAll = true, note }: MorePagesProps) {
  if (!query.hasNextPage) return null;
  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line px-4 py-2 text-ink-2">
      <span>
        The first {loaded} {of} are loaded.{' '}
        {note ??
          (isSearchOfAll
            ? 'Filters and sorting apply to them, the search to all.'
            : 'Search, filters and sorting apply to them.')}
      </span>
      <Button
        size="small"
        className="ml-auto"
        isBusy={query.isFetchingNextPage}
        onClick={() => query.fetchNextPage()}
      >
        Load more
      </Button>
    </div>
  );
}
