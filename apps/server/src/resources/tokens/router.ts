import {
  type CreateTokenResponse,
  contract,
  type Token as TokenBody,
  type TokenScope,
} from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import type { Token } from '../../generated/prisma/client.ts';
import { actorOf } from '../../http/context.ts';
import { readPage } from '../../http/cursor.ts';
import { locationOf, mutate } from '../../http/mutate.ts';
import type { RouterDeps } from '../router-deps.ts';
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

function presentToken(token: Token): TokenBody {
  return {
    id: token.id,
    name: token.name,
    scopes: token.scopes as TokenScope[],
    createdAt: token.createdAt.toISOString(),
    expiresAt: token.expiresAt?.toISOString() ?? null,
    lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
  };
}

/** The only response that contains the secret of a token. */
function presentTokenWithSecret(token: Token, secret: string): CreateTokenResponse {
  return { token: presentToken(token), secret };
}
