import { hash, timingSafeEqual } from 'node:crypto';
import type { AdapterPayload, Client, Provider } from 'oidc-provider';
import { isRegisteredRedirectUri } from '../identity/redirect-uri.ts';
import type { ApplicationClient } from './clients.ts';

/** The name of the client metadata field in which oidc-provider carries our own. */
export const APPLICATION = 'gatehouse_application';

/**
 * oidc-provider allows an application either web redirect URIs or native ones, and refuses private-use
 * schemes without a dot (`cursor://`). Ours may mix them (decisions/authorization-server.md), so it never
 * sees them: {@link adaptClients} replaces its check.
 */
const UNSEEN = 'https://redirect-uris.invalid/';

/** The client of an application, as oidc-provider reads it (RFC 7591 section 2). */
export function clientMetadataOf(application: ApplicationClient): AdapterPayload {
  const { id, name, clientType, secretHash } = application;
  const isConfidential = clientType === 'confidential';
  const codeGrants = ['authorization_code', 'refresh_token'];
  return {
    client_id: id,
    client_name: name,
    redirect_uris: [UNSEEN],
    response_types: ['code'],
    grant_types: isConfidential ? [...codeGrants, 'client_credentials'] : codeGrants,
    token_endpoint_auth_method: isConfidential ? 'client_secret_basic' : 'none',
    // Never compared: `compareClientSecret` is ours.
    ...(isConfidential ? { client_secret: secretHash ?? 'none' } : {}),
    [APPLICATION]: application,
  };
}

/** The application of a client. @throws TypeError for a client of another kind */
export function applicationOf(client: Client): ApplicationClient {
  const application = (client as unknown as Record<string, unknown>)[APPLICATION];
  if (application === undefined) throw new TypeError('The client is not an application.');
  return application as ApplicationClient;
}

/** Lets clients prove themselves by the hash of their secret, and use the redirect URIs of the application. */
export function adaptClients(provider: Provider): void {
  Object.assign(provider.Client.prototype, {
    compareClientSecret(this: Client, secret: string): boolean {
      const { secretHash } = applicationOf(this);
      if (secretHash === null) return false;
      return timingSafeEqual(Buffer.from(secretHash, 'base64'), hash('sha256', secret, 'buffer'));
    },
    redirectUriAllowed(this: Client, uri: string): boolean {
      return isRegisteredRedirectUri(applicationOf(this).redirectUris, uri);
    },
  });
}
