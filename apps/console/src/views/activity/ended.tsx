import { limits, revokedAccessLabels } from '@gatehouse/contract';
import type { EndedSessions, EndSessionsResponse } from '@gatehouse/sdk';
import { keysOf } from '../../api/keys-of.ts';
import { Figures } from '../figures.tsx';
import { userOf } from './columns.tsx';

const labels = (({ sessions, streams, leases }) => ({ sessions, streams, leases }))(
  revokedAccessLabels,
);

/** Lines that a dialog has room for. */
const NAMED = 8;

export function countOf({ sessions, leases }: EndedSessions): number {
  return sessions + leases;
}

/** How many end or have ended, and the newest by their names. */
export function Ended({ ended, items }: Pick<EndSessionsResponse, 'ended' | 'items'>) {
  const named = items.slice(0, NAMED);
  const rest = countOf(ended) - named.length;
  return (
    <>
      <Figures lines={keysOf(labels).map((kind) => [labels[kind], figureOf(ended[kind])])} />
      <ul aria-label="The newest of them" className="grid gap-0.5 text-12 text-ink-2">
        {named.map((session) => (
          <li key={session.id}>
            <bdi>{session.integrationName}</bdi> through <bdi>{session.applicationName}</bdi>,{' '}
            <bdi>{userOf(session)}</bdi>
          </li>
        ))}
        {rest > 0 && <li>and {rest.toLocaleString('en')} more</li>}
      </ul>
    </>
  );
}

/** The service counts no further. */
function figureOf(count: number): string {
  const figure = count.toLocaleString('en');
  return count < limits.countedSessions ? figure : `${figure}+`;
}
