import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { actorOf } from '../../http/context.ts';
import { locationOf } from '../../http/location.ts';
import { mutate } from '../../http/mutate.ts';
import { readPage } from '../../http/page.ts';
import type { Deps } from '../deps.ts';
import { presentToken } from './presenter.ts';
import { listTokens } from './repository.ts';
import { createToken, revokeToken } from './service.ts';

export function tokensRouter(deps: Deps) {
  return initServer().router(contract.tokens, {
    create: ({ body, req, res }) =>
      mutate(deps, req, res, {
        act: async (tx) => {
          const { token, secret } = await createToken(tx, actorOf(res), body);
          return {
            status: 201,
            body: { token: presentToken(token), secret },
            location: locationOf(deps.publicUrl, `/tokens/${token.id}`),
            secretOf: token.id,
          };
        },
      }),

    list: async ({ query, res }) => {
      const actor = actorOf(res);
      const scope = { list: 'tokens', actor, perUser: true, filters: {} };
      const { rows, nextCursor } = await readPage(deps.cursors, scope, query, (page) =>
        listTokens(deps.store.db, actor.userId, page),
      );
      return { status: 200, body: { items: rows.map(presentToken), nextCursor } };
    },

    revoke: ({ params, req, res }) =>
      mutate(deps, req, res, {
        act: async (tx) => {
          await revokeToken(tx, actorOf(res), params.id);
          return { status: 204, body: undefined };
        },
      }),
  });
}
