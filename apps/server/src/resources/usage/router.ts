import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { actorOf } from '../../http/context.ts';
import type { RouterDeps } from '../router-deps.ts';
import { presentUsage } from './presenter.ts';
import { readUsageFor } from './service.ts';

export function usageRouter({ store }: RouterDeps) {
  return initServer().router(contract.usage, {
    get: async ({ query, res }) => {
      const rows = await readUsageFor(store.db, actorOf(res), query);
      return { status: 200, body: presentUsage(query, rows) };
    },
  });
}
