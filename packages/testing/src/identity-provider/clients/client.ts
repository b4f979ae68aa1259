/** How a client authenticates at the token and revocation endpoints. */
export type AuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post';

/** A client that the provider knows from the start. */
export interface ProviderClientOptions {
  readonly clientId: string;
  /** Without one, the client is public. */
  readonly clientSecret?: string;
  /** Compared exactly; the port of loopback addresses is ignored (RFC 8252, section 7.3). */
  readonly redirectUris: readonly string[];
  /** The only accepted method. Default: `none` without a secret, basic or post with one. */
  readonly authMethod?: AuthMethod;
  /** Shown on the consent page. */
  readonly name?: string;
}

/** A client, however it became known. */
export interface ProviderClient extends ProviderClientOptions {
  readonly source: 'static' | 'registered' | 'metadata_document';
  /** Milliseconds since 1970; `null` means never. */
  readonly expiresAt: number | null;
}

/** Whether the client may use this redirect URI. */
export function allowsRedirect(client: ProviderClient, redirectUri: string): boolean {
  if (!URL.canParse(redirectUri)) return false;
  return client.redirectUris.some((known) => withoutPort(known) === withoutPort(redirectUri));
}

const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];

function withoutPort(uri: string): string {
  if (!URL.canParse(uri)) return uri;
  const url = new URL(uri);
  if (url.protocol !== 'http:' || !LOOPBACK.includes(url.hostname)) return uri;
  url.port = '';
  return url.href;
}
