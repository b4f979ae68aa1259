import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { actorOf } from '../../http/context.ts';
import { unauthenticated } from '../../identity/bearer.ts';
import type { Deps } from '../deps.ts';
import { presentMe } from './presenter.ts';
import { findUserWithOrganization } from './repository.ts';

export function meRouter(deps: Deps) {
  return initServer().router(contract.me, {
    get: async ({ res }) => {
      const user = await findUserWithOrganization(deps.store.db, actorOf(res).userId);
      if (!user) throw unauthenticated('The access token is unknown, expired or revoked.', true);
      return { status: 200, body: presentMe(user) };
    },
  });
}
