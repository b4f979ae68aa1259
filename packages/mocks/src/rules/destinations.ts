import { oauthClientDestination, presentDestination, tokenDestination } from '@gatehouse/contract';
import type { IntegrationRow, OauthConfig, SecretKind } from '../state/rows.ts';

/** The destination of the OAuth secrets of a configuration. */
export function oauthSecretDestination({
  issuer,
  clientId,
}: Pick<OauthConfig, 'issuer' | 'clientId'>): string {
  return oauthClientDestination({ oauthIssuer: issuer, oauthClientId: clientId });
}

/** The destination that a connection must have been stored for to be used now. */
export function connectionDestination({
  url,
  authMode,
  oauth,
}: Pick<IntegrationRow, 'url' | 'authMode' | 'oauth'>): string {
  return presentDestination({
    url,
    authMode,
    oauthIssuer: oauth?.issuer,
    oauthClientId: oauth?.clientId,
  });
}

export function hasSecret(
  { secrets }: Pick<IntegrationRow, 'secrets'>,
  kind: SecretKind,
  destination: string,
): boolean {
  return secrets.get(kind) === destination;
}

/** Whether a server token is stored that may be sent to the URL. */
export function hasServerTokenFor(
  integration: Pick<IntegrationRow, 'secrets'>,
  url: string,
): boolean {
  return hasSecret(integration, 'server_token', tokenDestination(url));
}
