import type { Open } from './open.ts';

/**
 * Whether an OAuth client can keep a secret.
 *
 * - `public`: it runs on people's devices. It has no secret and must use PKCE.
 * - `confidential`: it runs on a server, and has a secret.
 */
export type ClientType = 'public' | 'confidential';

/**
 * The OAuth client of an application.
 */
export interface ApplicationOauth {
  type: Open<ClientType>;
  redirectUris: string[];
  pkceRequired: boolean;
  scopes: string[];
  allowedResources: string[];
  /** Whether clients that are not registered here may ask people for access. */
  allowDynamicClients: boolean;
  /** The OAuth client id: the `id` of the application. */
  clientId: string;
  clientSecretConfigured: boolean;
}

/**
 * {@link ApplicationOauth} with the secret of a confidential client, which is returned only once.
 */
export interface ApplicationOauthWithSecret extends ApplicationOauth {
  /** Store it at once. Absent for a public client. */
  clientSecret?: string;
}

/**
 * A response with the OAuth client of an application.
 */
export interface ApplicationOauthResponse {
  oauth: ApplicationOauth;
}

/**
 * The OAuth client of a new application.
 */
export interface ApplicationOauthInput {
  /** Whether the client gets a secret. */
  readonly type: ClientType;
  /** Absolute: https, http on loopback, or a private-use scheme; at most 20. */
  readonly redirectUris: readonly string[];
  /** Whether a confidential client must use PKCE, as public ones always must. @defaultValue true */
  readonly pkceRequired?: boolean | undefined;
  /** The scopes that the client may get. @defaultValue ['mcp'] */
  readonly scopes?: readonly string[] | undefined;
  /** Absolute URIs without fragment; the MCP URLs of attached integrations are always allowed. */
  readonly allowedResources?: readonly string[] | undefined;
  /** Whether clients that are not registered here may ask people for access. @defaultValue false */
  readonly allowDynamicClients?: boolean | undefined;
}

/**
 * Body of `applications.oauth.update`: omitted fields do not change, arrays are replaced. What is taken
 * away ends the grants that rest on it.
 */
export interface UpdateApplicationOauthBody {
  /**
   * Changing to `public` drops the secret; to `confidential` leaves the client without one until it is
   * rotated.
   */
  readonly type?: ClientType | undefined;
  /** Absolute: https, http on loopback, or a private-use scheme; at most 20. */
  readonly redirectUris?: readonly string[] | undefined;
  /** Whether a confidential client must use PKCE, as public ones always must. */
  readonly pkceRequired?: boolean | undefined;
  /** The scopes that the client may get. */
  readonly scopes?: readonly string[] | undefined;
  /** Absolute URIs without fragment; the MCP URLs of attached integrations are always allowed. */
  readonly allowedResources?: readonly string[] | undefined;
  /** Whether clients that are not registered here may ask people for access. */
  readonly allowDynamicClients?: boolean | undefined;
}
