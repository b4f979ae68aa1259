import { queryOptions } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { onceAMinute, refreshOf } from '../../api/refresh.ts';

/**
 * What is in use, and what needs the person: read often while the first call is waited for, and else once a minute, since it
 * counts all there is.
 */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: async () => (await gatehouse.request('GET', '/overview')).overview,
  refetchInterval: (query) =>
    query.state.data?.firstCallAt === null ? refreshOf(query) : onceAMinute.refetchInterval(query),
});
