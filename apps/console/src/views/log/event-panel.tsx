import type { AuditEvent } from '@gatehouse/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef } from 'react';
import { Button } from '../../components/button.tsx';
import { Load } from '../../components/load.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { isWire, whatOf } from './actions.ts';
import { EventFacts } from './event-facts.tsx';
import { eventQuery, eventsQuery } from './queries.ts';
import type { LogFilter } from './search.ts';

interface EventPanelProps {
  readonly id: string;
  /** Of the list beside it, which may have the event already. */
  readonly filter: LogFilter;
  readonly onClose: () => void;
}

/** One event in full, beside the list. */
export function EventPanel({ id, filter, onClose }: EventPanelProps) {
  const queries = useQueryClient();
  const listed = () =>
    queries.getQueryData(eventsQuery(filter).queryKey)?.items.find((event) => event.id === id);
  const query = useQuery({ ...eventQuery(id), initialData: listed });
  const heading = useRef<HTMLHeadingElement>(null);
  const goBack = useFocusFromRow(heading, id);
  const close = () => {
    onClose();
    goBack();
  };
  return (
    <aside
      aria-label="The event"
      className="min-w-0 max-wide:border-b max-wide:border-line wide:border-l wide:border-line"
    >
      <div className="grid content-start gap-3 py-3 wide:sticky wide:top-0 wide:max-h-screen wide:overflow-y-auto">
        <div className="flex items-start gap-2 px-4">
          <h2
            ref={heading}
            tabIndex={-1}
            className="foreign min-w-0 text-14 font-semibold outline-none"
          >
            <Title event={query.data} />
          </h2>
          <Button size="small" look="plain" className="ml-auto" onClick={close}>
            Close
          </Button>
        </div>
        <Load query={query} skeleton={<SkeletonText lines={6} />}>
          {(event) => <EventFacts event={event} />}
        </Load>
      </div>
    </aside>
  );
}

function Title({ event }: { event: AuditEvent | undefined }) {
  if (event === undefined) return 'An event';
  return <span className={isWire(event) ? 'font-mono' : ''}>{whatOf(event)}</span>;
}

/** Gives the heading the focus when a row of the table opens it. @returns what gives it back to the row */
function useFocusFromRow(heading: RefObject<HTMLHeadingElement | null>, id: string): () => void {
  const row = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another event is opened by another row.
  useEffect(() => {
    const { activeElement } = document;
    if (!(activeElement instanceof HTMLElement) || activeElement.closest('td') === null) return;
    row.current = activeElement;
    heading.current?.focus();
  }, [heading, id]);
  return () => row.current?.focus();
}
