import type { IntegrationOauth } from './integration.ts';
import type { Open } from './open.ts';

/**
 * How Gatehouse authenticates at the token endpoint of the provider (RFC 7591 section 2).
 *
 * - `client_secret_basic`: id and secret in the `Authorization` header.
 * - `client_secret_post`: id and secret in the body.
 * - `none`: the id alone, as a public client.
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
  /** 1 to 100 characters: the name of a known provider, or any other. */
  readonly provider: string;
  /** The URL of the authorization server, exactly as it spells itself. */
  readonly issuer: string;
  /** At most 64. Empty: those that the MCP server names. */
  readonly scopes: readonly string[];
  /** The client id at the provider; absent when Gatehouse is to get one by itself. */
  readonly clientId?: string | undefined;
  /** The client secret at the provider. It is never returned. */
  readonly clientSecret?: string | null | undefined;
  /** By default what the provider offers. */
  readonly tokenEndpointAuthMethod?: TokenEndpointAuthMethod | undefined;
  /** Parameters to add to the authorization request. */
  readonly authorizationParams?: Readonly<Record<string, string>> | undefined;
  /** Parameters to add to token requests. They are stored as secrets, and only their names are returned. */
  readonly tokenParams?: Readonly<Record<string, string>> | null | undefined;
  /** The `resource` of RFC 8707, if it is not the URL of the integration. Empty: not sent. */
  readonly resource?: string | undefined;
  /** The redirect URI of the integration, for a client that still has the one that all integrations shared. */
  readonly redirectUri?: string | undefined;
}
