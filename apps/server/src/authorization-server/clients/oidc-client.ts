import { hash, timingSafeEqual } from 'node:crypto';
import type { AdapterPayload, Client, Provider } from 'oidc-provider';
import { errors } from '../oidc-provider.ts';
import { TOKEN_EXCHANGE } from '../scopes.ts';
import type { ClientApplication, OauthClient } from './oauth-client.ts';

/** The name of the client metadata field in which oidc-provider carries our own. */
export const CLIENT = 'gatehouse_client';

/**
 * oidc-provider allows a client either web redirect URIs or native ones, and refuses private-use schemes
 * without a dot (`cursor://`). Ours may mix them (decisions/authorization-server.md), so it never sees
 * them: {@link adaptClients} replaces its check.
 */
const UNSEEN = 'https://redirect-uris.invalid/';

/** A client in oidc-provider's format (RFC 7591 section 2). */
export function clientMetadataOf(client: OauthClient): AdapterPayload {
  const { clientId, name, application } = client;
  const isConfidential = application?.clientType === 'confidential';
  return {
    client_id: clientId,
    client_name: name,
    redirect_uris: [UNSEEN],
    response_types: ['code'],
    grant_types: grantTypesOf(application),
    token_endpoint_auth_method: isConfidential ? 'client_secret_basic' : 'none',
    // Never compared: `compareClientSecret` is ours.
    ...(isConfidential ? { client_secret: application.secretHash ?? 'none' } : {}),
    [CLIENT]: client,
  };
}

function grantTypesOf(application: ClientApplication | undefined): string[] {
  const codeGrants = ['authorization_code', 'refresh_token'];
  if (application?.clientType !== 'confidential') return codeGrants;
  const forItself = [...codeGrants, 'client_credentials'];
  return application.scopes.includes('credentials') ? [...forItself, TOKEN_EXCHANGE] : forItself;
}

/** Our own view of a client of oidc-provider. */
export function oauthClientOf(client: Client): OauthClient {
  const ours = (client as unknown as Record<string, unknown>)[CLIENT];
  if (ours === undefined) throw new TypeError('The client was not found by our adapter.');
  return ours as OauthClient;
}

/** Lets clients prove themselves by the hash of their secret, and use the redirect URIs that we know. */
export function adaptClients(provider: Provider): void {
  const { grantTypeAllowed } = provider.Client.prototype;
  Object.assign(provider.Client.prototype, {
    compareClientSecret(this: Client, secret: string): boolean {
      const expected = oauthClientOf(this).application?.secretHash ?? null;
      if (expected === null) return false;
      return timingSafeEqual(Buffer.from(expected, 'base64'), hash('sha256', secret, 'buffer'));
    },
    /** oidc-provider answers `invalid_request`, against RFC 6749 section 5.2. */
    grantTypeAllowed(this: Client, type: string): boolean {
      const isAllowed = grantTypeAllowed.call(this, type);
      if (isAllowed || type !== TOKEN_EXCHANGE) return isAllowed;
      throw new errors.UnauthorizedClient(
        'only a confidential application with the scope credentials may exchange tokens',
      );
    },
    redirectUriAllowed(this: Client, uri: string): boolean {
      return isRegisteredRedirectUri(oauthClientOf(this).redirectUris, uri);
    },
  });
}

const LOOPBACK = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/i;

/**
 * Whether a redirect URI is among the registered ones: equal character by character, except for the port
 * of a loopback address, which a native application does not know in advance (RFC 8252 section 7.3).
 */
export function isRegisteredRedirectUri(registered: readonly string[], uri: string): boolean {
  if (registered.includes(uri)) return true;
  const portless = URL.canParse(uri) ? withoutPort(uri) : undefined;
  return portless !== undefined && registered.some((other) => withoutPort(other) === portless);
}

/** Undefined unless it is a loopback URI. */
function withoutPort(uri: string): string | undefined {
  const [, host, rest] = LOOPBACK.exec(uri) ?? [];
  return host === undefined ? undefined : `${host.toLowerCase()}${rest}`;
}
