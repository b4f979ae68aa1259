import type { AuditEvent } from '@gatehouse/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Column } from '../../components/sort-rows.ts';
import { Status } from '../../components/status.tsx';
import { isWire, whatOf } from './actions.ts';
import { actorNameOf } from './actor.ts';
import { callOf, tookOf } from './call.ts';
import { Clock } from './clock.tsx';
import { outcomeOf } from './outcomes.ts';
import type { LogFilter } from './search.ts';
import type { KnownNames } from './use-known-names.ts';

type EventColumn = Column<AuditEvent, ReactNode>;

const NAME = 'foreign line-clamp-1 max-w-[24ch]';

const TIME: EventColumn = {
  id: 'time',
  header: 'Time',
  cell: ({ at }) => (
    <span className="text-ink-2 tabular-nums">
      <Clock at={at} />
    </span>
  ),
};

const WHO: EventColumn = {
  id: 'who',
  header: 'Who',
  isOptional: true,
  cell: (event) => <span className={NAME}>{actorNameOf(event)}</span>,
};

const TO: EventColumn = {
  id: 'to',
  header: 'To',
  isOptional: true,
  cell: ({ target: { name } }) => <span className={NAME}>{name ?? '–'}</span>,
};

/** Where there is little room, it also says who did it to what, and how it ended. @param filter of the list in which the event opens */
function whatColumn(filter: LogFilter): EventColumn {
  return {
    id: 'what',
    header: 'What',
    cell: (event) => (
      <span className="block min-w-0 py-1">
        <Link
          to="/activity/log"
          search={{ ...filter, event: event.id }}
          resetScroll={false}
          className={`foreign line-clamp-1 max-w-[44ch] hover:underline ${isWire(event) ? 'font-mono text-12' : ''}`}
        >
          {whatOf(event)}
        </Link>
        <span className="text-12 wide:hidden">
          <span className="foreign line-clamp-1 text-ink-3">
            {[actorNameOf(event), event.target.name].filter(Boolean).join(' → ')}
          </span>
          <EventStatus event={event} />
        </span>
      </span>
    ),
  };
}

const OUTCOME: EventColumn = {
  id: 'outcome',
  header: 'Outcome',
  isOptional: true,
  cell: (event) => <EventStatus event={event} />,
};

function EventStatus({ event }: { event: AuditEvent }) {
  const { tone, label } = outcomeOf(event);
  return <Status tone={tone}>{label}</Status>;
}

const TOOK: EventColumn = {
  id: 'took',
  header: 'Took',
  align: 'right',
  isOptional: true,
  cell: (event) => {
    const ms = tookOf(event);
    return ms !== undefined && <span className="text-ink-2">{ms.toLocaleString('en')} ms</span>;
  },
};

function throughColumn({ nameOf, isComplete }: KnownNames): EventColumn {
  return {
    id: 'through',
    header: 'Through',
    isOptional: true,
    cell: (event) => {
      const id = applicationIdOf(event);
      const name = id === undefined ? '–' : (nameOf(id) ?? (isComplete ? '–' : '…'));
      return <span className={`${NAME} text-ink-2`}>{name}</span>;
    },
  };
}

/** The application that acts, or acts for a person. */
export function applicationIdOf(event: AuditEvent): string | undefined {
  return callOf(event)?.applicationId ?? event.actor.via.applicationId;
}

interface ColumnsOptions {
  /** Of the list in which an event opens. */
  readonly filter: LogFilter;
  readonly names: KnownNames;
  /** Whether an event is open beside the table, which has less room then. */
  readonly isBeside: boolean;
}

export function columnsOf({ filter, names, isBeside }: ColumnsOptions): readonly EventColumn[] {
  const through = isBeside ? [] : [throughColumn(names)];
  const took = isBeside ? [] : [TOOK];
  return [TIME, WHO, ...through, TO, whatColumn(filter), OUTCOME, ...took];
}
