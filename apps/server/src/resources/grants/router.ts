import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { actorOf } from '../../http/context.ts';
import { readPage } from '../../http/cursor.ts';
import { mutate } from '../../http/mutate.ts';
import { listGrants } from '../../identity/grants/list-grants.ts';
import type { RouterDeps } from '../router-deps.ts';
import { presentGrant } from './presenter.ts';
import { endGrant } from './service.ts';

export function grantsRouter(deps: RouterDeps) {
  const { store, cursors } = deps;
  return initServer().router(contract.grants, {
    list: async ({ query, res }) => {
      const actor = actorOf(res);
      const scope = { list: 'grants', actor, perUser: true, filters: {} };
      const { rows, nextCursor } = await readPage(cursors, scope, query, (page) =>
        listGrants(store.db, actor.userId, page),
      );
      return { status: 200, body: { items: rows.map(presentGrant), nextCursor } };
    },

    end: ({ params: { id }, req, res }) =>
      mutate(deps, req, res, {
        act: async (mutation) => {
          await endGrant(mutation, id);
          return { status: 204, body: undefined };
        },
      }),
  });
}
