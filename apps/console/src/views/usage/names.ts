import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { labelOf } from '../../api/labels.ts';
import { useIsAdmin, useMe } from '../../shell/me.ts';
import { sessionsQuery } from '../activity/queries.ts';
import {
  applicationDirectory,
  type Entry,
  integrationDirectory,
  peopleDirectory,
} from '../directory.ts';
import { itemsOf } from '../pages.ts';
import { outcomeLabels, type Rows } from './labels.ts';

/** The name of what a series is of, by its key: the id where no name is known, and dots until then. */
export function useSeriesNames(rows: Rows): (key: string) => string {
  const me = useMe();
  const isOfApplications = rows === 'application' || rows === 'person';
  const directories = [
    useQuery({ ...integrationDirectory, enabled: rows === 'integration' }),
    useQuery({ ...peopleDirectory(me), enabled: rows === 'person' }),
    // An application that acts for itself is one of its people.
    useQuery({ ...applicationDirectory(me), enabled: isOfApplications }),
  ];
  const entries = [
    ...useUsedApplications(rows === 'application'),
    ...directories.flatMap(({ data }) => data?.entries ?? []),
  ];
  const names = new Map(entries.map(({ id, name }) => [id, name]));
  const isLoading = directories.some((query) => query.isLoading);
  return (key) => {
    if (rows === 'outcome') return labelOf(outcomeLabels, key);
    return rows === 'tool' ? key : (names.get(key) ?? (isLoading ? '…' : key));
  };
}

/** Members cannot list the applications of others that they use. Their sessions name them. */
function useUsedApplications(isAsked: boolean): Pick<Entry, 'id' | 'name'>[] {
  const isAdmin = useIsAdmin();
  const { data } = useInfiniteQuery({ ...sessionsQuery({}), enabled: isAsked && !isAdmin });
  if (data === undefined) return [];
  return itemsOf(data).map(({ applicationId, applicationName }) => ({
    id: applicationId,
    name: applicationName,
  }));
}
