import type { IntegrationOauth } from './integration.ts';
import type { Open } from './open.ts';

/**
 * How the client authenticates at the token endpoint.
 */
export type TokenEndpointAuthMethod = 'client_secret_basic' | 'client_secret_post' | 'none';

/**
 * The OAuth configuration that admins and owners may read. Secrets are never returned.
 */
export interface IntegrationOauthConfig extends IntegrationOauth {
  clientId?: string;
  clientSecretConfigured: boolean;
  tokenEndpointAuthMethod?: Open<TokenEndpointAuthMethod>;
  authorizationParams?: Record<string, string>;
  /** The names of the stored `tokenParams`. */
  tokenParamNames?: string[];
  /** Empty: not sent. */
  resource?: string;
  /** The redirect URI to enter in the OAuth app at the provider. */
  redirectUri: string;
}

/**
 * The OAuth configuration of an integration.
 */
export interface IntegrationOauthConfigResponse {
  oauth: IntegrationOauthConfig;
}

/**
 * Body of `PUT /integrations/:id/oauth`. What is absent is removed. Without `clientSecret` the stored
 * one is kept while `clientId` and `issuer` are unchanged; null removes it.
 */
export interface PutIntegrationOauthBody {
  readonly provider: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | null | undefined;
  readonly tokenEndpointAuthMethod?: TokenEndpointAuthMethod | undefined;
  readonly authorizationParams?: Readonly<Record<string, string>> | undefined;
  readonly tokenParams?: Readonly<Record<string, string>> | null | undefined;
  readonly resource?: string | undefined;
  /** The redirect URI of the integration, for a client that still has the one that all integrations shared. */
  readonly redirectUri?: string | undefined;
}
