import type { CredentialTarget } from './outcome.ts';

/** What server and user tokens are bound to: the origin of the integration's url. */
export function tokenDestination(url: string): string {
  return new URL(url).origin;
}

/** What OAuth tokens are bound to: that origin, the issuer and the client id. */
export function oauthDestination(
  target: Pick<CredentialTarget, 'url' | 'oauthIssuer' | 'oauthClientId'>,
): string {
  const { url, oauthIssuer = null, oauthClientId = null } = target;
  return JSON.stringify([tokenDestination(url), oauthIssuer, oauthClientId]);
}

/** What an OAuth client secret and token parameters are bound to: they go to the issuer alone. */
export function oauthClientDestination(
  target: Pick<CredentialTarget, 'oauthIssuer' | 'oauthClientId'>,
): string {
  const { oauthIssuer = null, oauthClientId = null } = target;
  return JSON.stringify([oauthIssuer, oauthClientId]);
}

/**
 * The destination a credential must have been entered for to be sent now. A stored credential is
 * usable exactly when its own destination equals this one (and its mode the present mode).
 */
export function presentDestination(
  target: Pick<CredentialTarget, 'url' | 'authMode' | 'oauthIssuer' | 'oauthClientId'>,
): string {
  return target.authMode === 'oauth' ? oauthDestination(target) : tokenDestination(target.url);
}
