import { type Contract, refusalTexts, tokenDestination } from '@gatehouse/contract';
import type { Operations } from '../http/operation.ts';
import { Refusal } from '../http/refusal.ts';
import { deleteConnection, presentConnection, storeConnection } from '../rules/connections.ts';
import { acceptCredential } from '../rules/credential-fields.ts';
import { requireActive, requireIntegration } from '../rules/integrations.ts';
import { revokeSessions } from '../rules/sessions.ts';
import type { ConnectionRow } from '../state/rows.ts';
import { connectionKey } from '../state/state.ts';
import { connect } from './connect.ts';
import { connectionList } from './connection-list.ts';

export const connections: Operations<Contract['connections']> = {
  set: {
    authorize: (call) => requireIntegration(call, call.params.id),
    act(call) {
      const { state, actor, body } = call;
      const integration = requireIntegration(call, call.params.id);
      requireActive(integration);
      if (integration.authMode !== 'user_token') {
        const detail = refusalTexts.notUserToken;
        throw new Refusal('auth_mode_mismatch', detail);
      }
      const connection: ConnectionRow = {
        integrationId: integration.id,
        userId: actor.userId,
        mode: 'user_token',
        destination: tokenDestination(integration.url),
        credential: acceptCredential(integration.credentialSchema, body),
        reason: null,
        displayName: null,
        expiresAt: null,
        createdAt: new Date().toISOString(),
      };
      storeConnection(state, connectionKey(integration.id, actor.userId), connection);
      const shown = presentConnection(state, integration, actor.userId);
      return { status: 200, body: { connection: shown } };
    },
  },

  get: {
    act(call) {
      const integration = requireIntegration(call, call.params.id);
      const connection = presentConnection(call.state, integration, call.actor.userId);
      return { status: 200, body: { connection } };
    },
  },

  delete: {
    authorize: (call) => requireIntegration(call, call.params.id),
    act(call) {
      const { state, actor } = call;
      const { id } = requireIntegration(call, call.params.id);
      if (deleteConnection(state, connectionKey(id, actor.userId))) {
        revokeSessions(
          state,
          ({ integrationId, userId }) => integrationId === id && userId === actor.userId,
        );
      }
      return { status: 204, body: undefined };
    },
  },

  ...connect,
  ...connectionList,
};
