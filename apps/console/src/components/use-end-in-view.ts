import { type RefObject, useEffect, useRef } from 'react';

/** What this needs of a list that is loaded page by page. */
export interface Paged {
  readonly error: unknown;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

/** Pixels below the window in which the end of a list is near. */
const NEAR = '600px';

/** Loads the next page when the element comes near. After an error only the button does. */
export function useEndInView(query: Paged, isOn: boolean): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  const { error, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const isWaiting = isOn && error === null && hasNextPage && !isFetchingNextPage;
  useEffect(() => {
    if (!isWaiting || element.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) fetchNextPage();
      },
      { rootMargin: `0px 0px ${NEAR} 0px` },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isWaiting, fetchNextPage]);
  return element;
}
