import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { actorOf } from '../../http/context.ts';
import { mutate } from '../../http/mutate.ts';
import type { Deps } from '../deps.ts';
import { requireIntegration } from '../integrations/service.ts';
import { presentConnection } from '../present-connection.ts';
import { removeConnection, setConnection } from './service.ts';

export function connectionsRouter(deps: Deps) {
  return initServer().router(contract.connections, {
    set: ({ params, body, req, res }) => {
      const actor = actorOf(res);
      return mutate(deps, req, res, {
        exists: (db) => requireIntegration(db, actor, params.id),
        act: async (tx) => {
          const { integration, connection } = await setConnection(tx, deps, actor, params.id, body);
          return { status: 200, body: { connection: presentConnection(integration, connection) } };
        },
      });
    },

    get: async ({ params, res }) => {
      const integration = await requireIntegration(deps.store.db, actorOf(res), params.id);
      const connection = presentConnection(integration, integration.connections[0]);
      return { status: 200, body: { connection } };
    },

    delete: ({ params, req, res }) =>
      mutate(deps, req, res, {
        act: async (tx) => {
          await removeConnection(tx, actorOf(res), params.id);
          return { status: 204, body: undefined };
        },
      }),
  });
}
