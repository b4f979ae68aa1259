/** Our redirect URI. */
export function redirectUriOf(origin: string): string {
  return `${origin}/oauth/callback`;
}

/**
 * What Gatehouse says about itself as a client (RFC 7591 section 2). A redirect URI on plain http, which
 * is loopback, is allowed to native applications only (OpenID Connect Registration 1.0).
 */
export function clientMetadata(origin: string, redirectUri: string) {
  return {
    client_name: 'Gatehouse',
    client_uri: origin,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: redirectUri.startsWith('https://') ? 'web' : 'native',
  };
}
