import { oauthClientDestination, tokenDestination } from '@gatehouse/contract';
import { integrationSecretPlace } from '../../credentials/places.ts';
import type { Vault } from '../../credentials/vault.ts';
import type { Integration, IntegrationSecret } from '../../generated/prisma/client.ts';
import type { SecretKind } from '../../generated/prisma/enums.ts';
import { createId } from '../../platform/ids.ts';
import type { OauthConfig } from './oauth-config.ts';
import type { SecretRow } from './repository.ts';

/** The secrets that go to the issuer of the OAuth configuration. */
export const OAUTH_SECRETS = ['oauth_client_secret', 'oauth_token_params'] as const;

/** A new row holding the sealed secret; it opens only there and only for `destination`. */
export function sealSecret(
  vault: Vault,
  integration: Pick<Integration, 'organizationId' | 'id'>,
  secret: { readonly kind: SecretKind; readonly destination: string; readonly text: string },
): IntegrationSecret {
  const { kind, destination, text } = secret;
  const { organizationId, id: integrationId } = integration;
  const row = { ...createId(), organizationId, integrationId, kind, destination };
  return { ...row, ...vault.seal(text, integrationSecretPlace(row)) };
}

/** Where the client secret and the token parameters of a configuration are sent. */
export function oauthSecretDestination({
  issuer,
  clientId,
}: Pick<OauthConfig, 'issuer' | 'clientId'>): string {
  return oauthClientDestination({ oauthIssuer: issuer, oauthClientId: clientId });
}

/** Whether a server token is stored that may be sent to `url`. */
export function hasServerTokenFor(secrets: readonly SecretRow[], url: string): boolean {
  return hasSecret(secrets, 'server_token', tokenDestination(url));
}

/** Whether a secret of that kind is stored for that destination. */
export function hasSecret(
  secrets: readonly SecretRow[],
  kind: SecretKind,
  destination: string,
): boolean {
  return secrets.some((secret) => secret.kind === kind && secret.destination === destination);
}
