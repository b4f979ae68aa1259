import { useQuery } from '@tanstack/react-query';
import { useMe } from '../../shell/me.ts';
import {
  applicationDirectory,
  groupDirectory,
  integrationDirectory,
  peopleDirectory,
} from '../directory.ts';

/** The name that a person, group, application or integration has now, by its id, as far as it is known. */
export function useKnownNames(): (id: string) => string | undefined {
  const me = useMe();
  const all = [
    useQuery(peopleDirectory(me)),
    useQuery(groupDirectory),
    useQuery(applicationDirectory(me)),
    useQuery(integrationDirectory),
  ];
  const entries = all.flatMap(({ data }) => data?.entries ?? []);
  const names = new Map(entries.map(({ id, name }) => [id, name]));
  return (id) => names.get(id);
}
