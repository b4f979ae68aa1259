import { useQuery } from '@tanstack/react-query';
import { useMe } from '../../shell/me.ts';
import { applicationDirectory, groupDirectory, peopleDirectory } from '../directory.ts';

/** The name of a person, group or application by its id, or the id where the name is not known. */
export function useNames(): (id: string) => string {
  const me = useMe();
  const people = useQuery(peopleDirectory(me));
  const groups = useQuery(groupDirectory);
  const applications = useQuery(applicationDirectory(me));
  const all = [people, groups, applications].flatMap(({ data }) => data?.entries ?? []);
  const names = new Map(all.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id;
}
