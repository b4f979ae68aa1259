import { Button } from './button.tsx';
import { type Paged, useEndInView } from './use-end-in-view.ts';

interface MorePagesProps {
  readonly query: Paged;
  readonly loaded: number;
  /** What they are, in the plural. */
  readonly of: string;
  /** Whether the search finds all of them, or as the filters what is loaded; undefined for a list without a search. */
  readonly isSearchOfAll?: boolean | undefined;
  /** What is said instead of what searches find. */
  readonly note?: string | undefined;
  /** Whether the next page is loaded as soon as the end of the list is near. */
  readonly isAutomatic?: boolean;
}

const REACH = {
  all: 'Filters and sorting apply to them, the search to all.',
  loaded: 'Search, filters and sorting apply to them.',
} as const;

/** Below a list that has more pages: what is shown, and the next ones. */
export function MorePages(props: MorePagesProps) {
  const { query, loaded, of, isSearchOfAll, note, isAutomatic = false } = props;
  const bar = useEndInView(query, isAutomatic);
  if (!query.hasNextPage) return null;
  return (
    <div
      ref={bar}
      className="flex flex-wrap items-center gap-3 border-t border-line px-4 py-2 text-ink-2"
    >
      <span>
        The first {loaded} {of} are loaded.{' '}
        {note ?? (isSearchOfAll !== undefined && REACH[isSearchOfAll ? 'all' : 'loaded'])}
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
