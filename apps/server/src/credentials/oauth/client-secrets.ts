import { oauthClientDestination } from '@gatehouse/contract';
import type { Integration, IntegrationSecret } from '../../generated/prisma/client.ts';
import type { SecretKind } from '../../generated/prisma/enums.ts';
import type { Db } from '../../platform/database/store.ts';
import { integrationSecretSealContext } from '../../vault/seal-contexts.ts';
import { type Vault, VaultError } from '../../vault/vault.ts';
import { oauthConfigOf } from '../oauth-config.ts';
import { UpstreamOauthError } from './upstream-error.ts';

/** The secrets that an admin entered for the token endpoint of the current issuer. */
export interface ClientSecrets {
  readonly clientSecret: string | undefined;
  readonly tokenParams: Readonly<Record<string, string>>;
}

/** One indexed read. @throws UpstreamOauthError `secret_unreadable`, `secret_key_not_loaded` */
export async function readClientSecrets(
  { db, vault }: { readonly db: Db; readonly vault: Vault },
  integration: Pick<Integration, 'organizationId' | 'id' | 'oauth'>,
): Promise<ClientSecrets> {
  const config = oauthConfigOf(integration);
  const destination = oauthClientDestination({
    oauthIssuer: config?.issuer,
    oauthClientId: config?.clientId,
  });
  const { organizationId, id: integrationId } = integration;
  const kinds: SecretKind[] = ['oauth_client_secret', 'oauth_token_params'];
  const rows = await db.integrationSecret.findMany({
    where: { organizationId, integrationId, kind: { in: kinds }, destination },
  });
  const textOf = (wanted: SecretKind) => {
    const row = rows.find(({ kind }) => kind === wanted);
    return row && open(vault, row);
  };
  const params = textOf('oauth_token_params');
  return {
    clientSecret: textOf('oauth_client_secret'),
    tokenParams: params === undefined ? {} : (JSON.parse(params) as Record<string, string>),
  };
}

function open(vault: Vault, row: IntegrationSecret): string {
  try {
    return vault.open(row, integrationSecretSealContext(row));
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    const isKeyMissing = error.code === 'unknown_key';
    throw new UpstreamOauthError(isKeyMissing ? 'secret_key_not_loaded' : 'secret_unreadable');
  }
}
