import { isOauthConfigured, lifetimes } from '@gatehouse/contract';
import { record, signingIn } from '../events/record.ts';
import type { ConnectOutcome } from '../state/outcomes.ts';
import { randomText } from '../state/random.ts';
import type { ConnectLinkRow, IntegrationRow } from '../state/rows.ts';
import { connectionKey, type State } from '../state/state.ts';
import { storeConnection } from './connections.ts';
import { connectionDestination } from './destinations.ts';

/** Makes a link that works once, for ten minutes. */
export function createConnectLink(
  state: State,
  fields: Pick<ConnectLinkRow, 'integrationId' | 'userId' | 'returnTo'>,
): ConnectLinkRow {
  const expiresAt = new Date(Date.now() + lifetimes.connectLink).toISOString();
  const link: ConnectLinkRow = { ...fields, secret: randomText(32), expiresAt };
  state.connectLinks.set(link.secret, link);
  return link;
}

/** What opening a link has done. `gone`: there is no such link, or it no longer works. */
export interface OpenedLink {
  readonly status: ConnectOutcome['status'] | 'gone';
  readonly returnTo: string | null;
}

/** Opens a link: does what the test has set for the integration, by default connects. */
export function openConnectLink(state: State, secret: string): OpenedLink {
  const link = state.connectLinks.get(secret);
  const integration = link && state.integrations.get(link.integrationId);
  if (!link || !integration || !isUsable(state, link, integration)) {
    return { status: 'gone', returnTo: null };
  }
  const outcome = state.connectOutcomes.get(integration.id) ?? { status: 'connected' };
  if (outcome.status !== 'pending') useUp(state, link, integration, outcome);
  if (outcome.status === 'connected') connect(state, link, integration, outcome);
  return { status: outcome.status, returnTo: link.returnTo };
}

function useUp(
  state: State,
  { secret, userId }: ConnectLinkRow,
  { id, organizationId }: IntegrationRow,
  { status }: ConnectOutcome,
): void {
  state.connectLinks.delete(secret);
  record(state, {
    action: 'connection.link_used',
    actor: signingIn(organizationId, userId),
    targetId: connectionKey(id, userId),
    decision: status === 'connected' ? 'connect' : 'cancel',
  });
}

function isUsable(
  state: State,
  { userId, expiresAt }: ConnectLinkRow,
  { archivedAt, authMode, oauth }: IntegrationRow,
): boolean {
  const canConnect = archivedAt === null && authMode === 'oauth' && isOauthConfigured(oauth);
  return canConnect && state.users.has(userId) && Date.parse(expiresAt) > Date.now();
}

function connect(
  state: State,
  { userId }: ConnectLinkRow,
  integration: IntegrationRow,
  { displayName, expiresAt }: Extract<ConnectOutcome, { status: 'connected' }>,
): void {
  storeConnection(state, connectionKey(integration.id, userId), {
    integrationId: integration.id,
    userId,
    mode: 'oauth',
    destination: connectionDestination(integration),
    credential: { token: 'mock' },
    reason: null,
    displayName: displayName ?? null,
    expiresAt: expiresAt ?? null,
    createdAt: new Date().toISOString(),
  });
  record(state, {
    action: 'connection.created',
    actor: signingIn(integration.organizationId, userId),
    targetId: connectionKey(integration.id, userId),
    mode: 'oauth',
  });
}
