import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { actorOf } from '../../http/context.ts';
import type { RouterDeps } from '../router-deps.ts';
import { presentMe } from './presenter.ts';
import { requireMe } from './repository.ts';

export function meRouter({ store }: RouterDeps) {
  return initServer().router(contract.me, {
    get: async ({ res }) => {
      const actor = actorOf(res);
      const user = await requireMe(store.db, actor);
      return { status: 200, body: presentMe(user, actor) };
    },
  });
}
