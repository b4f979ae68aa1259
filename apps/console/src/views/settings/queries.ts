import { queryOptions } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';

/** What the installation runs with. */
export const installationQuery = queryOptions({
  queryKey: ['installation'],
  queryFn: async () => (await gatehouse.request('GET', '/installation')).installation,
});
