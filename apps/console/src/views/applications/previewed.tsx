import type { ReactNode } from 'react';
import { Problem } from '../../components/problem.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';

interface PreviewedProps<Data> {
  readonly query: {
    readonly data: Data | undefined;
    readonly error: unknown;
    refetch(): unknown;
  };
  /** What a failure leaves open. */
  readonly unknown: string;
  readonly children: (data: Data) => ReactNode;
}

/** A part of a preview. What it is a preview of can be done without it. */
export function Previewed<Data>({ query, unknown, children }: PreviewedProps<Data>) {
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  if (error === null) return <SkeletonText lines={2} />;
  return (
    <div className="rounded-6 bg-bad-soft">
      <Problem
        error={error}
        meaning={`${unknown} You can still do it.`}
        onRetry={() => void refetch()}
      />
    </div>
  );
}
