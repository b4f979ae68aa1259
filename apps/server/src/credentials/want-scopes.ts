import { limits, presentDestination } from '@gatehouse/contract';
import type { Connection, Integration } from '../generated/prisma/client.ts';
import type { Store } from '../platform/database/store.ts';
import { connectionSealContext } from '../vault/seal-contexts.ts';
import { type Vault, VaultError } from '../vault/vault.ts';
import type { ModeDeps } from './modes/mode.ts';
import { type OauthGrant, parseGrant, serializeGrant } from './oauth/grant.ts';
import { oauthConfigOf } from './oauth-config.ts';
import { type CredentialTarget, credentialTargetOf } from './target.ts';

export interface WantScopesDeps {
  readonly store: Store;
  readonly vault: Vault;
}

/**
 * Notes in a person's grant the scopes that a call lacked (RFC 6750 section 3.1, `insufficient_scope`), so
 * that the page to connect asks for them too. Configured scopes are an administrator's choice, which no
 * upstream widens.
 *
 * @returns whether connecting again may help: it does not where the grant has the scopes already
 */
export async function wantScopes(
  { store, vault }: WantScopesDeps,
  { organizationId, integrationId: id }: Pick<CredentialTarget, 'organizationId' | 'integrationId'>,
  userId: string,
  scopes: readonly string[],
): Promise<boolean> {
  const { db } = store;
  const integration = await db.integration.findFirst({ where: { organizationId, id } });
  const config = integration && oauthConfigOf(integration);
  if (!integration || !config || config.scopes.length > 0) return false;
  const own = await findOwnGrant({ db, vault }, integration, userId);
  if (own === undefined) return false;
  const { row, grant } = own;
  const { scopes: granted = [], wantedScopes: wanted = [] } = grant;
  if (scopes.every((scope) => granted.includes(scope))) return false;
  if (scopes.every((scope) => wanted.includes(scope))) return true;
  const wantedScopes = [...new Set([...scopes, ...wanted])].slice(0, limits.scopes);
  const { keyId, sealed } = vault.seal(
    serializeGrant({ ...grant, wantedScopes }),
    connectionSealContext(row),
  );
  await store.transaction(async (tx) => {
    // New tokens are not replaced by what was read before them. The next call that lacks scopes notes them.
    const where = { id: row.id, tokenVersion: row.tokenVersion };
    const { count } = await tx.db.connection.updateMany({ where, data: { keyId, sealed } });
    if (count > 0) tx.announce({ kind: 'connection', id: `${id}:${userId}` });
  });
  return true;
}

/** A person's connection of mode `oauth`, decrypted. */
export interface OwnGrant {
  readonly row: Connection;
  readonly grant: OauthGrant;
}

/** A person's grant for the integration as it is now; undefined if it is missing or cannot be read. */
export async function findOwnGrant(
  { db, vault }: ModeDeps,
  integration: Integration,
  userId: string,
): Promise<OwnGrant | undefined> {
  const { organizationId, id: integrationId } = integration;
  const row = await db.connection.findUnique({
    where: { integrationId_userId: { integrationId, userId }, organizationId },
  });
  const destination = presentDestination(credentialTargetOf(integration));
  if (row?.mode !== 'oauth' || row.destination !== destination) return undefined;
  try {
    return { row, grant: parseGrant(vault.open(row, connectionSealContext(row))) };
  } catch (error) {
    if (error instanceof VaultError) return undefined;
    throw error;
  }
}
