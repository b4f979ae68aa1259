import type { Refresher } from '../../src/credentials/oauth/refresh/refresher.ts';

/** For tests without OAuth connections: there is nothing to refresh. */
export const noRefresher: Refresher = {
  refresh: () => Promise.reject(new Error('Nothing is to be refreshed here.')),
  close: () => Promise.resolve(),
};
