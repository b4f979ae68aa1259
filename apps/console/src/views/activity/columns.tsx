import type { SessionWithNames } from '@gatehouse/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button, buttonClass } from '../../components/button.tsx';
import { Logo } from '../../components/logo.tsx';
import type { Column } from '../../components/sort-rows.ts';
import { Time } from '../../components/time.tsx';
import { timeColumn } from '../time-column.tsx';
import { kindOf, stateOf } from './labels.ts';
import { SessionState } from './session-state.tsx';

const NAME = 'foreign line-clamp-1 max-w-[36ch]';

type SessionColumn = Column<SessionWithNames, ReactNode>;

/** Who uses an integration, as far as that is still known. */
export function userOf({ userId, userName }: SessionWithNames): string {
  return userId === null ? 'The application itself' : (userName ?? 'A person who was removed');
}

/** Where there is little room, it also says through what and for whom. */
function integrationColumn(isAdmin: boolean): SessionColumn {
  return {
    id: 'integration',
    header: 'Integration',
    sortBy: ({ integrationName }) => integrationName,
    cell: (session) => (
      <span className="flex min-w-0 items-center gap-2.5 py-1">
        <span className="max-wide:hidden">
          <Logo name={session.integrationName} />
        </span>
        <span className="min-w-0 wide:min-w-[12ch]">
          <Link
            to="/integrations/$id"
            params={{ id: session.integrationId }}
            className={`${NAME} font-medium hover:underline`}
          >
            {session.integrationName}
          </Link>
          <span className="text-12 text-ink-3 wide:hidden">
            <ApplicationName session={session} isAdmin={isAdmin} />
            {isAdmin && <span className="foreign line-clamp-1">{userOf(session)}</span>}
          </span>
        </span>
      </span>
    ),
  };
}

interface ApplicationNameProps {
  readonly session: SessionWithNames;
  readonly isAdmin: boolean;
}

/** Members may look at their own applications alone. */
function ApplicationName({ session, isAdmin }: ApplicationNameProps) {
  const { applicationId, applicationName } = session;
  if (!isAdmin) return <span className={NAME}>{applicationName}</span>;
  return (
    <Link
      to="/applications/$id"
      params={{ id: applicationId }}
      search={{ tab: 'sessions' }}
      className={`${NAME} hover:underline`}
    >
      {applicationName}
    </Link>
  );
}

function applicationColumn(isAdmin: boolean): SessionColumn {
  return {
    id: 'application',
    header: 'Application',
    isOptional: true,
    sortBy: ({ applicationName }) => applicationName,
    cell: (session) => <ApplicationName session={session} isAdmin={isAdmin} />,
  };
}

const PERSON: SessionColumn = {
  id: 'person',
  header: 'Person',
  isOptional: true,
  sortBy: userOf,
  cell: (session) => (
    <span className={`${NAME} ${session.userName === null ? 'text-ink-3' : ''}`}>
      {userOf(session)}
    </span>
  ),
};

const STATE: SessionColumn = {
  id: 'state',
  header: 'State',
  sortBy: stateOf,
  cell: (session) => (
    <span className="grid">
      <SessionState session={session} />
      {session.state === 'open' && session.expiresAt !== null && (
        <span className="text-12 text-ink-3">
          ends <Time at={session.expiresAt} />
        </span>
      )}
    </span>
  ),
};

const KIND: SessionColumn = {
  id: 'kind',
  header: 'Kind',
  isOptional: true,
  sortBy: kindOf,
  cell: (session) => <span className="whitespace-nowrap text-ink-2">{kindOf(session)}</span>,
};

const TIMES: readonly SessionColumn[] = [
  timeColumn({
    id: 'began',
    header: 'Began',
    align: 'right',
    timeOf: ({ createdAt }) => createdAt,
  }),
  timeColumn({
    id: 'used',
    header: 'Last used',
    align: 'right',
    timeOf: ({ lastActivityAt }) => lastActivityAt,
  }),
];

interface ActionsOptions {
  readonly isAdmin: boolean;
  readonly onEnd: (session: SessionWithNames) => void;
}

function actionsColumn({ isAdmin, onEnd }: ActionsOptions): SessionColumn {
  return {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    align: 'right',
    cell: (session) => (
      <span className="inline-flex gap-1">
        {isAdmin && <CallsLink session={session} />}
        {session.state === 'open' && (
          <Button
            size="small"
            aria-label={`End ${labelOf(session)}`}
            onClick={() => onEnd(session)}
          >
            End
          </Button>
        )}
      </span>
    ),
  };
}

function labelOf(session: SessionWithNames): string {
  const { integrationName, applicationName } = session;
  return `the session of ${userOf(session)} at ${integrationName} through ${applicationName}`;
}

/** The calls of whom the session is, there and through the same application. */
function CallsLink({ session }: { session: SessionWithNames }) {
  const { applicationId, integrationId, userId } = session;
  const filter = { kind: 'call', applicationId, integrationId } as const;
  const who = userId === null ? { actorId: applicationId } : { userId };
  return (
    <Link
      to="/activity/log"
      search={{ ...filter, ...who }}
      aria-label={`Calls like those of ${labelOf(session)}`}
      className={buttonClass('plain', 'small')}
    >
      Calls
    </Link>
  );
}

/** @param onEnd ends a session, or asks about it */
export function columnsOf(
  isAdmin: boolean,
  onEnd: (session: SessionWithNames) => void,
): readonly SessionColumn[] {
  const people = isAdmin ? [PERSON] : [];
  return [
    integrationColumn(isAdmin),
    applicationColumn(isAdmin),
    ...people,
    STATE,
    KIND,
    ...TIMES,
    actionsColumn({ isAdmin, onEnd }),
  ];
}
