import { type Contract, refusalTexts } from '@gatehouse/contract';
import type { Call, Caller, Operations } from '../http/operation.ts';
import { Refusal } from '../http/refusal.ts';
import { createConnectLink } from '../rules/connect-links.ts';
import { requireOauth } from '../rules/integration-oauth.ts';
import { requireActive, requireIntegration } from '../rules/integrations.ts';
import { connectionTestOf } from '../rules/validation.ts';
import type { IntegrationRow } from '../state/rows.ts';
import { connectionKey } from '../state/state.ts';

type ConnectOperations = Pick<Operations<Contract['connections']>, 'authorize' | 'test'>;

/** The operations of `/integrations/:id/connection/…`. */
export const connect: ConnectOperations = {
  authorize: {
    check: requireAllowedReturn,
    authorize: (call) => requireIntegration(call, call.params.id),
    act(call) {
      const { state, actor, body, publicUrl } = call;
      const integration = requireIntegration(call, call.params.id);
      requireActive(integration);
      requireOauth(integration);
      const { secret, expiresAt } = createConnectLink(state, {
        integrationId: integration.id,
        userId: actor.userId,
        returnTo: body?.returnTo ?? null,
      });
      const authorizationUrl = `${publicUrl}/connect/${secret}`;
      return {
        status: 201,
        body: { authorizationUrl, expiresAt },
        location: authorizationUrl,
      };
    },
  },

  test: {
    act(call) {
      const { state, actor } = call;
      const integration = requireIntegration(call, call.params.id);
      requireActive(integration);
      requirePersonalMode(integration);
      const connection = state.connections.get(connectionKey(integration.id, actor.userId));
      return { status: 200, body: connectionTestOf(state, integration, connection) };
    },
  },
};

type Authorize = Contract['connections']['authorize'];

function requireAllowedReturn({
  body,
  allowedOrigins,
}: Pick<Caller, 'allowedOrigins'> & Pick<Call<Authorize>, 'body'>): void {
  if (body?.returnTo === undefined) return;
  if (allowedOrigins.includes(new URL(body.returnTo).origin)) return;
  const message = refusalTexts.returnToAllowed;
  throw new Refusal('validation_failed', refusalTexts.returnToRefused, {
    errors: [{ pointer: '/returnTo', code: 'invalid_value', message }],
  });
}

function requirePersonalMode({ authMode }: IntegrationRow): void {
  if (authMode === 'user_token' || authMode === 'oauth') return;
  const detail = refusalTexts.noConnections;
  throw new Refusal('auth_mode_mismatch', detail);
}
