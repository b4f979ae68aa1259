import { contract, type MemberConnection } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { listConnections, type MemberConnectionRow } from '../../credentials/list-connections.ts';
import { CredentialSchemaChanged } from '../../credentials/store-connection.ts';
import type { Integration } from '../../generated/prisma/client.ts';
import { authorizeAgain } from '../../http/authorize-route.ts';
import { actorOf } from '../../http/context.ts';
import { readPage } from '../../http/cursor.ts';
import { mutate } from '../../http/mutate.ts';
import { requireIntegration } from '../integrations/service.ts';
import { presentConnection } from '../present-connection.ts';
import type { RouterDeps } from '../router-deps.ts';
import {
  authorizeConnection,
  checkCredential,
  findRevocation,
  removeConnection,
  requireAllowedReturn,
  setConnection,
  testConnection,
} from './service.ts';

export function connectionsRouter(deps: RouterDeps) {
  const { store, cursors } = deps;
  return initServer().router(contract.connections, {
    set: ({ params: { id }, body, req, res }) =>
      untilSchemaStays(async () => {
        const checked = await checkCredential(store.db, actorOf(res), id, body);
        return mutate(deps, req, res, {
          authorize: ({ db, actor }) => requireIntegration(db, actor, id),
          act: async (mutation) => {
            const { integration, connection } = await setConnection(mutation, deps, id, checked);
            const shown = presentConnection(integration, connection);
            return { status: 200, body: { connection: shown } };
          },
        });
      }),

    get: async ({ params: { id }, res }) => {
      const integration = await requireIntegration(store.db, actorOf(res), id);
      const [stored] = integration.connections;
      const revocation = stored ? undefined : await findRevocation(store.db, actorOf(res), id);
      const connection = presentConnection(integration, stored, revocation);
      return { status: 200, body: { connection } };
    },

    delete: ({ params: { id }, req, res }) =>
      mutate(deps, req, res, {
        authorize: ({ db, actor }) => requireIntegration(db, actor, id),
        act: async (mutation) => {
          await removeConnection(mutation, id);
          return { status: 204, body: undefined };
        },
      }),

    authorize: ({ params: { id }, body, req, res }) =>
      mutate(deps, req, res, {
        check: () => requireAllowedReturn(deps, body?.returnTo),
        authorize: ({ db, actor }) => requireIntegration(db, actor, id),
        act: async (mutation) => {
          const link = await authorizeConnection(mutation, deps, id, body?.returnTo);
          const { authorizationUrl, expiresAt } = link;
          return {
            status: 201,
            body: { authorizationUrl, expiresAt: expiresAt.toISOString() },
            location: authorizationUrl,
          };
        },
      }),

    test: async ({ params: { id }, res }) => {
      const actor = await authorizeAgain(store.db, res);
      return { status: 200, body: await testConnection(store.db, deps, actor, id) };
    },

    list: async ({ params: { id }, query, res }) => {
      const actor = actorOf(res);
      const integration = await requireIntegration(store.db, actor, id);
      const { status, userId } = query;
      const filters = { integrationId: id, status, userId };
      const scope = { list: 'connections', actor, perUser: false, filters };
      const { rows, nextCursor } = await readPage(cursors, scope, query, (page) =>
        listConnections(store.db, integration, filters, page),
      );
      const items = rows.map((row) => presentMemberConnection(integration, row));
      return { status: 200, body: { items, nextCursor } };
    },
  });
}

/** Repeats a write only if an admin has changed the credential schema while it was checked. */
async function untilSchemaStays<Result>(write: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof CredentialSchemaChanged)) throw error;
    }
  }
}

/** Leaves out what only the member may see: their account at the provider. */
function presentMemberConnection(
  integration: Integration,
  row: MemberConnectionRow,
): MemberConnection {
  const { connected, status, reason, expiresAt } = presentConnection(integration, row);
  return {
    userId: row.id,
    userName: row.user.name,
    userEmail: row.user.email,
    mode: row.mode,
    connected,
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    createdAt: row.createdAt.toISOString(),
    refreshedAt: row.refreshedAt?.toISOString() ?? null,
  };
}
