import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { actorOf } from '../../http/context.ts';
import { readPage } from '../../http/cursor.ts';
import { locationOf, mutate } from '../../http/mutate.ts';
import type { RouterDeps } from '../router-deps.ts';
import { presentToken, presentTokenWithSecret } from './presenter.ts';
import { listTokens } from './repository.ts';
import { requireGrantable } from './rules.ts';
import { createToken, revokeToken } from './service.ts';

export function tokensRouter(deps: RouterDeps) {
  const { store, cursors, publicUrl } = deps;
  return initServer().router(contract.tokens, {
    create: ({ body, req, res }) =>
      mutate(deps, req, res, {
        authorize: ({ actor }) => requireGrantable(actor, body),
        act: async (mutation) => {
          const { token, secret } = await createToken(mutation, body);
          return {
            status: 201,
            body: presentTokenWithSecret(token, secret),
            location: locationOf(publicUrl, `/tokens/${token.id}`),
            secretOf: token.id,
          };
        },
      }),

    list: async ({ query, res }) => {
      const actor = actorOf(res);
      const scope = { list: 'tokens', actor, perUser: true, filters: {} };
      const { rows, nextCursor } = await readPage(cursors, scope, query, (page) =>
        listTokens(store.db, actor.userId, page),
      );
      return { status: 200, body: { items: rows.map(presentToken), nextCursor } };
    },

    revoke: ({ params: { id }, req, res }) =>
      mutate(deps, req, res, {
        act: async (mutation) => {
          await revokeToken(mutation, id);
          return { status: 204, body: undefined };
        },
      }),
  });
}
