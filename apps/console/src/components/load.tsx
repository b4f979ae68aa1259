import { isApiError } from '@gatehouse/sdk';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Panel } from './panel.tsx';
import { Problem } from './problem.tsx';

/** What this needs of a query. */
interface Loading<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
}

interface LoadProps<Data> {
  readonly query: Loading<Data>;
  readonly skeleton: ReactNode;
  /** Whether it is all of a view, and stands in no panel yet. */
  readonly isView?: boolean;
  readonly children: (data: Data) => ReactNode;
}

/**
 * What a query has: its data, also while they cannot be renewed, a problem, or the shape of what is to come. Trying
 * again tries all that has failed, since it mostly failed together.
 */
export function Load<Data>({ query, skeleton, isView = false, children }: LoadProps<Data>) {
  const queries = useQueryClient();
  const { data, error } = query;
  // What does not exist will not exist a moment later.
  const isMissing = isApiError(error) && error.status === 404;
  const retry = isMissing
    ? undefined
    : () => void queries.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
  if (data === undefined) {
    const waiting = error ? <Problem error={error} onRetry={retry} /> : skeleton;
    return isView ? <Panel>{waiting}</Panel> : waiting;
  }
  return (
    <>
      {error != null && (
        <div className={isView ? 'mb-4 rounded-8 bg-bad-soft' : 'border-b border-line'}>
          <Problem error={error} meaning="What is shown may be out of date." onRetry={retry} />
        </div>
      )}
      {children(data)}
    </>
  );
}
