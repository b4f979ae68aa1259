/** The settings of an integration that decide where its credentials may be sent. */
export interface DestinationSettings {
  readonly url: string;
  readonly authMode: string;
  readonly oauthIssuer: string | undefined;
  readonly oauthClientId: string | undefined;
}

/** What server tokens and user tokens are bound to: the origin of the integration's URL. */
export function tokenDestination(url: string): string {
  return new URL(url).origin;
}

/** What OAuth tokens are bound to: that origin, the issuer and the client id. */
export function oauthDestination(
  settings: Pick<DestinationSettings, 'url' | 'oauthIssuer' | 'oauthClientId'>,
): string {
  const { url, oauthIssuer = null, oauthClientId = null } = settings;
  return JSON.stringify([tokenDestination(url), oauthIssuer, oauthClientId]);
}

/** What a client secret and the token parameters are bound to: they are sent to the issuer only. */
export function oauthClientDestination(
  settings: Pick<DestinationSettings, 'oauthIssuer' | 'oauthClientId'>,
): string {
  const { oauthIssuer = null, oauthClientId = null } = settings;
  return JSON.stringify([oauthIssuer, oauthClientId]);
}

/**
 * The destination that a user's credential must have been stored for to be sent now. A credential is
 * usable only while its own destination equals this one.
 */
export function presentDestination(settings: DestinationSettings): string {
  return settings.authMode === 'oauth'
    ? oauthDestination(settings)
    : tokenDestination(settings.url);
}
