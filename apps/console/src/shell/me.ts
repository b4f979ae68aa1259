import type { Me } from '@gatehouse/sdk';
import { queryOptions } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { gatehouse, onePerson } from '../api/gatehouse.ts';

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => {
    const me = await gatehouse.me();
    onePerson.check(me.user.id);
    return me;
  },
});

export const MeContext = createContext<Me | undefined>(undefined);

/** The person who is signed in. @throws Error outside the shell */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (me === undefined) throw new Error('Nobody is known outside the shell.');
  return me;
}

/** Whether the person may see and change what is for admins. */
export function useIsAdmin(): boolean {
  return useMe().user.role !== 'member';
}
