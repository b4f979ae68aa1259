import type { ReactNode } from 'react';
import { Problem } from './problem.tsx';

/** What this needs of a query. */
interface Loading<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  refetch(): unknown;
}

interface LoadProps<Data> {
  readonly query: Loading<Data>;
  readonly skeleton: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** What a query has: its data, also while they cannot be renewed, a problem, or the shape of what is to come. */
export function Load<Data>({ query, skeleton, children }: LoadProps<Data>) {
  const { data, error } = query;
  const retry = () => void query.refetch();
  if (data === undefined) return error ? <Problem error={error} onRetry={retry} /> : skeleton;
  return (
    <>
      {error != null && (
        <div className="border-b border-line">
          <Problem error={error} meaning="What is shown may be out of date." onRetry={retry} />
        </div>
      )}
      {children(data)}
    </>
  );
}
