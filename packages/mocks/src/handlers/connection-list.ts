import type { Contract, MemberConnection } from '@gatehouse/contract';
import type { Operations } from '../http/operation.ts';
import { readPage } from '../http/page.ts';
import { presentConnection } from '../rules/connections.ts';
import { requireIntegration } from '../rules/integrations.ts';
import type { ConnectionRow, IntegrationRow } from '../state/rows.ts';
import type { State } from '../state/state.ts';

/** The operation of `/integrations/:id/connections`. */
export const connectionList: Pick<Operations<Contract['connections']>, 'list'> = {
  list: {
    act(call) {
      const { state, actor, params, query } = call;
      const integration = requireIntegration(call, params.id);
      const { status, userId } = query;
      const filters = { integrationId: integration.id, status, userId };
      const found = [...state.connections.values()]
        .filter((row) => row.integrationId === integration.id)
        .map((row) => ({ id: row.userId, shown: present(state, integration, row) }))
        .filter(
          ({ id, shown }) => id === (userId ?? id) && shown.status === (status ?? shown.status),
        );
      const scope = { list: 'connections', organizationId: actor.organizationId, filters };
      const { rows, nextCursor } = readPage(state, scope, query, found);
      return { status: 200, body: { items: rows.map(({ shown }) => shown), nextCursor } };
    },
  },
};

function present(state: State, integration: IntegrationRow, row: ConnectionRow): MemberConnection {
  const { userId, mode, createdAt } = row;
  const { connected, status, reason, expiresAt } = presentConnection(state, integration, userId);
  const { name = '', email = '' } = state.users.get(userId) ?? {};
  return {
    userId,
    userName: name,
    userEmail: email,
    mode,
    connected,
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    createdAt,
    refreshedAt: null,
  };
}
