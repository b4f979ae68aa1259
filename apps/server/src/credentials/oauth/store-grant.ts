import { presentDestination } from '@gatehouse/contract';
import type { Tx } from '../../platform/database/store.ts';
import { createId } from '../../platform/ids.ts';
import { connectionSealContext } from '../../vault/seal-contexts.ts';
import type { Vault } from '../../vault/vault.ts';
import { type ConnectionRow, neverRefreshed, replaceConnection } from '../connections.ts';
import { oauthConfigOf } from '../oauth-config.ts';
import type { ConnectionOwner } from '../store-connection.ts';
import { credentialTargetOf } from '../target.ts';
import type { UpstreamServer } from './discovery/upstream-server.ts';
import { grantExpiry, newGrant, serializeGrant } from './grant.ts';
import type { TokenSet, UpstreamClient } from './upstream.ts';

/** What connecting has brought. */
export interface ObtainedGrant {
  readonly tokens: TokenSet;
  readonly server: UpstreamServer;
  readonly client: UpstreamClient;
  readonly displayName: string | undefined;
}

/**
 * Replaces a person's connection to an integration of mode `oauth`, which the caller has locked and found active.
 * An earlier grant is not revoked: many providers would end the new one with it.
 */
export async function storeGrant(
  tx: Tx,
  { vault }: { readonly vault: Vault },
  { integration, userId, actor }: ConnectionOwner,
  { tokens, server, client, displayName }: ObtainedGrant,
): Promise<ConnectionRow> {
  const { organizationId, id: integrationId } = integration;
  const destination = presentDestination(credentialTargetOf(integration));
  const row = {
    ...createId(),
    organizationId,
    integrationId,
    userId,
    mode: 'oauth',
    destination,
  } as const;
  const provider = oauthConfigOf(integration)?.provider;
  const grant = newGrant(tokens, { server, client, provider });
  const connection = await replaceConnection(tx.db, {
    ...row,
    ...vault.seal(serializeGrant(grant), connectionSealContext(row)),
    reason: null,
    displayName: displayName ?? null,
    expiresAt: grantExpiry(tokens),
    ...neverRefreshed,
    refreshedAt: tokens.refreshToken === undefined ? null : row.createdAt,
  });
  const id = `${integrationId}:${userId}`;
  tx.announce({ kind: 'connection', id });
  tx.record({ action: 'connection.created', actor, targetId: id, mode: 'oauth' });
  return connection;
}
