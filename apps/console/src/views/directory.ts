import type { Me } from '@gatehouse/sdk';
import { queryOptions } from '@tanstack/react-query';
import { gatehouse } from '../api/gatehouse.ts';

/** What can be picked or found by its name. */
export interface Entry {
  readonly id: string;
  readonly name: string;
  /** What distinguishes two of the same name. */
  readonly hint: string;
}

export interface Directory {
  readonly entries: readonly Entry[];
  /** Whether there are older ones that are not in it. */
  readonly isPartial: boolean;
}

/** The newest ones: of all of these the API searches integrations alone. They are read once in a minute at most. */
const MOST = 1000;
const RARELY = { staleTime: 60_000, refetchInterval: false } as const;
const PAGE = { limit: 100 } as const;

function directoryOf(entries: readonly Entry[]): Directory {
  return { entries, isPartial: entries.length === MOST };
}

const isMember = ({ user }: Me) => user.role === 'member';

/** The people whom the person may name: a member only themselves. */
export function peopleDirectory(me: Me) {
  return queryOptions({
    ...RARELY,
    queryKey: ['members', 'directory'],
    queryFn: async () => {
      const people = isMember(me)
        ? [me.user]
        : await gatehouse.members.list(PAGE).toArray({ max: MOST });
      return directoryOf(people.map(({ id, name, email }) => ({ id, name, hint: email })));
    },
  });
}

/** The groups that the person may name: a member those that they are in. */
export const groupDirectory = queryOptions({
  ...RARELY,
  queryKey: ['groups', 'directory'],
  queryFn: async () => {
    const groups = await gatehouse.groups.list(PAGE).toArray({ max: MOST });
    return directoryOf(
      groups.map(({ id, name, externalId }) => ({ id, name, hint: externalId ?? '' })),
    );
  },
});

/** The applications that the person may see. */
export function applicationDirectory(me: Me) {
  return queryOptions({
    ...RARELY,
    queryKey: ['applications', 'directory'],
    queryFn: async () => {
      const all = isMember(me) ? {} : { all: true };
      const found = await gatehouse.applications.list({ ...PAGE, ...all }).toArray({ max: MOST });
      return directoryOf(found.map(({ id, name }) => ({ id, name, hint: '' })));
    },
  });
}

/** The integrations of the organization. */
export const integrationDirectory = queryOptions({
  ...RARELY,
  queryKey: ['integrations', 'directory'],
  queryFn: async () => {
    const found = await gatehouse.integrations.list(PAGE).toArray({ max: MOST });
    return directoryOf(found.map(({ id, name, url }) => ({ id, name, hint: url })));
  },
});
