import {
  type Contract,
  credentialFailures,
  credentialHeaders,
  mustConnectText,
  refusalTexts,
} from '@gatehouse/contract';
import type { Actor } from '../http/actor.ts';
import type { Caller, Operations } from '../http/operation.ts';
import { Refusal } from '../http/refusal.ts';
import { attachmentsOf } from '../rules/applications.ts';
import { presentConnection } from '../rules/connections.ts';
import { hasServerTokenFor } from '../rules/destinations.ts';
import { addLease, blockedFor } from '../rules/leases.ts';
import { requirePeopleAllowed } from '../rules/policies.ts';
import type { Credential, IntegrationRow } from '../state/rows.ts';
import { connectionKey, type State } from '../state/state.ts';

/** The mocks keep no server token: they hand out this text. */
const SERVER_TOKEN = 'server-token';

interface Found {
  readonly credential: Credential;
  readonly expiresAt: string | null;
}

export const credentials: Operations<Contract['credentials']> = {
  handOut: {
    act(call) {
      const { state, actor, params } = call;
      const { id: applicationId, integrationId } = params;
      const { integration, attachmentId } = requireAttached(state, applicationId, integrationId);
      requirePeopleAllowed(call, { applicationId, integrationId }, attachmentId);
      requireMayReceive(actor, integration);
      const { credential, expiresAt } = findCredential(call, integration);
      requireReceiver(state, actor, applicationId);
      const { userId, tokenId } = actor;
      const holder = { applicationId, integrationId, userId, tokenId };
      const seconds = blockedFor(state, holder);
      if (seconds > 0) {
        const detail = 'The lease of this token was revoked; it may get another one later.';
        throw new Refusal('forbidden', detail, { headers: { 'Retry-After': String(seconds) } });
      }
      const lease = addLease(state, holder, expiresAt);
      const pairs = credentialHeaders(integration.credentialSchema, credential) ?? [];
      const headers = pairs.map(([name, value]) => ({ name, value }));
      const shown = { headers, ...credential, ...(expiresAt === null ? {} : { expiresAt }) };
      return {
        status: 200,
        body: { credential: shown, lease: { id: lease.id, expiresAt: lease.expiresAt } },
      };
    },
  },
};

function requireAttached(
  state: State,
  applicationId: string,
  integrationId: string,
): { readonly integration: IntegrationRow; readonly attachmentId: string } {
  const application = state.applications.get(applicationId);
  const integration = state.integrations.get(integrationId);
  const attachment = attachmentsOf(state, applicationId).find(
    (row) => row.integrationId === integrationId,
  );
  if (application?.archivedAt === null && integration?.archivedAt === null && attachment) {
    return { integration, attachmentId: attachment.id };
  }
  throw new Refusal('not_found', 'The application has no such integration.');
}

/** @throws Refusal `not_credential_only`, `auth_mode_mismatch`, `forbidden` */
function requireMayReceive({ accessToken }: Actor, { category, authMode }: IntegrationRow): void {
  if (category !== 'internal_mcp_credentials') {
    throw new Refusal(
      'not_credential_only',
      'The gateway proxies this integration, and its credential never leaves. Use its gateway URL.',
    );
  }
  if (authMode === 'none') {
    throw new Refusal('auth_mode_mismatch', refusalTexts.noCredential);
  }
  const isForItself = accessToken?.grantId === null;
  if (isForItself === (authMode === 'server_token')) return;
  throw new Refusal(
    'forbidden',
    isForItself
      ? 'An application that acts for itself has no account at this integration: a person must sign in.'
      : 'The server token is handed out only to an application that acts for itself, by client credentials.',
  );
}

/** @throws Refusal `connection_required`, `integration_misconfigured` */
function findCredential({ state, actor, publicUrl }: Caller, integration: IntegrationRow): Found {
  if (integration.authMode === 'server_token') {
    if (hasServerTokenFor(integration, integration.url)) {
      return { credential: { token: SERVER_TOKEN }, expiresAt: null };
    }
    const { sentence } = credentialFailures.server_token_missing;
    throw new Refusal('integration_misconfigured', sentence);
  }
  const { connected, reason } = presentConnection(state, integration, actor.userId);
  const connection = state.connections.get(connectionKey(integration.id, actor.userId));
  if (connection !== undefined && connected && reason !== 'expired' && reason !== 'needs_reauth') {
    return connection;
  }
  const connectUrl = `${publicUrl}/connect?integration=${integration.id}`;
  const isBroken = reason === 'expired' || reason === 'needs_reauth';
  const { sentence } = credentialFailures[isBroken ? reason : 'connection_required'];
  throw new Refusal('connection_required', mustConnectText(sentence), { connectUrl });
}

/** @throws Refusal `forbidden` */
function requireReceiver(state: State, { accessToken }: Actor, applicationId: string): void {
  const { type, scopes } = state.applications.get(applicationId)?.oauth ?? {};
  const grant = accessToken?.grantId ? state.grants.get(accessToken.grantId) : undefined;
  const isOwnClient = grant === undefined || grant.clientId === applicationId;
  if (type === 'confidential' && scopes?.includes('credentials') && isOwnClient) return;
  throw new Refusal(
    'forbidden',
    'Only a confidential application with the scope credentials gets credentials handed out.',
  );
}
