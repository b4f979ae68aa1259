import { useQuery } from '@tanstack/react-query';
import { useMe } from '../../shell/me.ts';
import {
  applicationDirectory,
  groupDirectory,
  integrationDirectory,
  peopleDirectory,
} from '../directory.ts';

export interface KnownNames {
  /** The name that a person, group, application or integration has now. */
  readonly nameOf: (id: string) => string | undefined;
  /** Whether all of them have been read. */
  readonly isComplete: boolean;
}

export function useKnownNames(): KnownNames {
  const me = useMe();
  const all = [
    useQuery(peopleDirectory(me)),
    useQuery(groupDirectory),
    useQuery(applicationDirectory(me)),
    useQuery(integrationDirectory),
  ];
  const entries = all.flatMap(({ data }) => data?.entries ?? []);
  const names = new Map(entries.map(({ id, name }) => [id, name]));
  return { nameOf: (id) => names.get(id), isComplete: !all.some((query) => query.isPending) };
}
