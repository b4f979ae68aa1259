import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { actorOf } from '../../http/context.ts';
import type { RouterDeps } from '../router-deps.ts';
import { presentOverview } from './presenter.ts';
import { readOverview } from './service.ts';

export function overviewRouter({ store, sessions }: RouterDeps) {
  return initServer().router(contract.overview, {
    get: async ({ res }) => {
      const overview = await readOverview(store.db, sessions, actorOf(res));
      return { status: 200, body: { overview: presentOverview(overview) } };
    },
  });
}
