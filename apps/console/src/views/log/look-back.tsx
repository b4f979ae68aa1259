import type { UseMutationResult } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { useEndInView } from '../../components/use-end-in-view.ts';
import { clockOf } from './clock.tsx';
import type { EventsPage } from './loaded-events.ts';

interface LookBackProps {
  readonly loaded: EventsPage;
  readonly search: UseMutationResult<number, Error, void>;
}

/** Below the events while there are older ones: how far back they reach, and the way on. */
export function LookBack({ loaded, search }: LookBackProps) {
  const { nextCursor, reachedAt, items } = loaded;
  const { mutate, isPending, error, data: found } = search;
  const hasNextPage = nextCursor !== null;
  const paged = { error, hasNextPage, isFetchingNextPage: isPending, fetchNextPage: mutate };
  // A search that has found nothing goes on only when it is asked to.
  const bar = useEndInView(paged, found !== 0);
  if (!hasNextPage) return null;
  return (
    <div ref={bar} className="grid gap-2 border-t border-line px-4 py-2 text-ink-2">
      {error !== null && <FormProblem error={error} meaning="Older events were not read." />}
      <div className="flex flex-wrap items-center gap-3">
        <span role="status">
          {isPending ? 'Looking' : 'Looked'} back to{' '}
          <time dateTime={reachedAt ?? undefined}>{clockOf(reachedAt ?? '')}</time>
          {items.length === 0 && found === 0 && ', and found nothing so far'}.
        </span>
        <Button size="small" className="ml-auto" isBusy={isPending} onClick={() => mutate()}>
          Look further back
        </Button>
      </div>
    </div>
  );
}
