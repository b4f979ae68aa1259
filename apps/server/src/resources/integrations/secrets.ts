import { oauthClientDestination, tokenDestination } from '@gatehouse/contract';
import type { OauthConfig } from '../../credentials/oauth-config.ts';
import type { Integration, IntegrationSecret } from '../../generated/prisma/client.ts';
import type { SecretKind } from '../../generated/prisma/enums.ts';
import { createId } from '../../platform/ids.ts';
import { integrationSecretSealContext } from '../../vault/seal-contexts.ts';
import type { Vault } from '../../vault/vault.ts';
import type { SecretRow } from './repository.ts';

const FIELDS = {
  server_token: 'serverToken',
  oauth_client_secret: 'clientSecret',
  oauth_token_params: 'tokenParams',
} as const satisfies Record<SecretKind, string>;

/** A changed secret in an event: whether one was stored before, and is stored now. */
export function changedSecret(
  { secrets }: { readonly secrets: readonly SecretRow[] },
  kind: SecretKind,
  isStored: boolean,
) {
  const wasStored = secrets.some((secret) => secret.kind === kind);
  return { field: FIELDS[kind], from: wasStored, to: isStored };
}

/** The secrets that are sent to the issuer of the OAuth configuration. */
export const OAUTH_SECRETS = ['oauth_client_secret', 'oauth_token_params'] as const;

/** A new row with the sealed secret. The vault opens it only in this row and for this `destination`. */
export function sealSecret(
  vault: Vault,
  integration: Pick<Integration, 'organizationId' | 'id'>,
  secret: { readonly kind: SecretKind; readonly destination: string; readonly text: string },
): IntegrationSecret {
  const { kind, destination, text } = secret;
  const { organizationId, id: integrationId } = integration;
  const row = { ...createId(), organizationId, integrationId, kind, destination };
  return { ...row, ...vault.seal(text, integrationSecretSealContext(row)) };
}

/** The destination of the client secret and the token parameters of a configuration. */
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
