import type { SessionsFilter, SessionWithNames } from '@gatehouse/sdk';
import { gatehouse } from '../../api/gatehouse.ts';
import type { Exported } from '../export-button.tsx';
import { userOf } from './columns.tsx';
import { kindOf, stateOf } from './labels.ts';

/** Of 100 sessions each, at most: the API takes 600 requests in a minute. */
const MOST_PAGES = 50;

const HEAD = [
  'Integration',
  'Application',
  'Person',
  'State',
  'Kind',
  'Began',
  'Last used',
  'Ended',
  'Expires',
  'Session',
];

function cellsOf(session: SessionWithNames): string[] {
  const { id, integrationName, applicationName } = session;
  const { createdAt, lastActivityAt, endedAt, expiresAt } = session;
  const names = [integrationName, applicationName, userOf(session)];
  const times = [createdAt, lastActivityAt, endedAt ?? '', expiresAt ?? ''];
  return [...names, stateOf(session), kindOf(session), ...times, id];
}

/** All sessions of a filter, as far as that many requests reach. */
export async function readSessions(filter: SessionsFilter): Promise<Exported> {
  const rows: string[][] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = { ...filter, limit: 100, cursor };
    const { items, nextCursor } = await gatehouse.request('GET', '/sessions', { query });
    rows.push(...items.map(cellsOf));
    cursor = nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  return { head: HEAD, rows, isPartial: cursor !== undefined };
}
