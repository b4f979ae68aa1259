import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { LOOPBACK } from './surroundings.ts';

/** How a client gets its client id: from a person, from where it is described, or by registering. */
type ClientIdentity =
  | {
      readonly clientId: string;
      readonly clientSecret?: string | undefined;
      /** Who gave them. */
      readonly issuer: string;
    }
  | { readonly documentUrl: string }
  | { readonly registers: true };

/** What the official clients want of their application, in memory. Both of their generations take it. */
export class MemoryProvider implements OAuthClientProvider {
  readonly redirectUrl = LOOPBACK;
  readonly clientMetadata: OAuthClientMetadata = {
    client_name: 'A test client',
    redirect_uris: [LOOPBACK],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
  readonly clientMetadataUrl?: string;
  /** Where the client sent the person last. */
  authorizationUrl: URL | undefined;
  stored: StoredOAuthTokens | undefined;
  #client: StoredOAuthClientInformation | undefined;
  #discovery: OAuthDiscoveryState | undefined;
  #verifier = '';

  constructor(identity: ClientIdentity) {
    if ('clientId' in identity) {
      const { clientId: client_id, clientSecret: client_secret, issuer } = identity;
      this.#client = { client_id, issuer, ...(client_secret !== undefined && { client_secret }) };
    }
    if ('documentUrl' in identity) this.clientMetadataUrl = identity.documentUrl;
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.#client;
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#client = client;
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.stored;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.stored = tokens;
  }

  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }
}
