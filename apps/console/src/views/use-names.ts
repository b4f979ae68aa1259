import { useQuery } from '@tanstack/react-query';
import { useMe } from '../shell/me.ts';
import { applicationDirectory, groupDirectory, peopleDirectory } from './directory.ts';

/** The name of a person, group or application by its id: the id where it is not known, and dots until then. */
export function useNames(): (id: string) => string {
  const me = useMe();
  const all = [
    useQuery(peopleDirectory(me)),
    useQuery(groupDirectory),
    useQuery(applicationDirectory(me)),
  ];
  const isPending = all.some((query) => query.isPending);
  const entries = all.flatMap(({ data }) => data?.entries ?? []);
  const names = new Map(entries.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? (isPending ? '…' : id);
}
