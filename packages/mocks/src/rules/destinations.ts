import type { IntegrationRow, OauthConfig, SecretKind } from '../state/rows.ts';

/** What server and user tokens are bound to: the origin of the integration's url. */
export function tokenDestination(url: string): string {
  return new URL(url).origin;
}

/** What an OAuth client secret and token parameters are bound to: the issuer and the client id. */
export function oauthSecretDestination(
  oauth: Pick<OauthConfig, 'issuer' | 'clientId'> | null,
): string {
  return JSON.stringify([oauth?.issuer ?? null, oauth?.clientId ?? null]);
}

/** The destination a connection must have been made for to be used now. */
export function presentDestination({
  url,
  authMode,
  oauth,
}: Pick<IntegrationRow, 'url' | 'authMode' | 'oauth'>): string {
  const origin = tokenDestination(url);
  return authMode === 'oauth' ? `${origin} ${oauthSecretDestination(oauth)}` : origin;
}

export function hasSecret(
  { secrets }: Pick<IntegrationRow, 'secrets'>,
  kind: SecretKind,
  destination: string,
): boolean {
  return secrets.get(kind) === destination;
}

/** Whether a server token is stored that may be sent to the url. */
export function hasServerTokenFor(
  integration: Pick<IntegrationRow, 'secrets'>,
  url: string,
): boolean {
  return hasSecret(integration, 'server_token', tokenDestination(url));
}
