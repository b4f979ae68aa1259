import type { AuthMethod } from './clients/client.ts';

/** A person who can sign in at the provider. */
export interface ProviderUser {
  readonly sub: string;
  readonly email: string;
  readonly name: string;
}

/**
 * A place of the metadata for an issuer such as `http://host/tenant`: `oauth` is
 * `/.well-known/oauth-authorization-server/tenant` (RFC 8414), `openid-inserted` is
 * `/.well-known/openid-configuration/tenant`, `openid` is `/tenant/.well-known/openid-configuration`.
 */
export type DiscoveryForm = 'oauth' | 'openid-inserted' | 'openid';

/** The provider with the token responses to imitate. */
export type ProviderShape = 'standard' | 'github' | 'slack' | 'google';

/** How ID tokens are signed. */
export type IdTokenSignature = 'published-key' | 'other-key' | 'client-secret' | 'none';

/** How the provider behaves. Each of these can be changed while it runs. */
export interface ProviderSettings {
  /** Default: one, `{ sub: 'ada', email: 'ada@example.com', name: 'Ada Lovelace' }`. */
  readonly users: readonly ProviderUser[];
  /**
   * Whether consent is given without a page, by the user of `login_hint` (a sub or an email) or else the
   * first one. A string is the `sub` of the user. Default false.
   */
  readonly autoApprove: boolean | string;
  /** Those that exist. A request without a scope gets all of them. Default `openid`, `email`, `profile`, `offline_access`, `read`, `write`. */
  readonly scopes: readonly string[];
  /** Resource indicators (RFC 8707) that exist. Default `null`, which means any. */
  readonly resources: readonly string[] | null;
  /** Where metadata is found. Default: in all places. */
  readonly discovery: readonly DiscoveryForm[];
  /** Whether `iss` is in the redirect back (RFC 9207), and promised by the metadata. Default true. */
  readonly iss: boolean;
  /** Whether PKCE with S256 is promised and required; otherwise it is ignored. Default true. */
  readonly pkce: boolean;
  /** Whether clients may register themselves (RFC 7591). Default true. */
  readonly registration: boolean;
  /** How long a registered client and its secret are known, in seconds. Default `null`: as long as the provider runs. */
  readonly registeredClientSeconds: number | null;
  /** Whether the client id may be the URL of a Client ID Metadata Document. Default true. */
  readonly clientIdMetadata: boolean;
  /** Ways of client authentication. Default: all three. */
  readonly authMethods: readonly AuthMethod[];
  /** Whether there is an endpoint for revocation (RFC 7009). Default true. */
  readonly revocation: boolean;
  /** Lifetime of new access tokens in seconds. `null`: they do not expire, and no `expires_in` is sent. Default 3,600. */
  readonly accessTokenSeconds: number | null;
  /** Lifetime of new refresh tokens in seconds. Default `null`: they do not expire. */
  readonly refreshTokenSeconds: number | null;
  /** When there is a refresh token; `offline_access` means when that scope is granted. Default `always`. */
  readonly refreshTokens: 'always' | 'offline_access' | 'never';
  /**
   * Whether each refresh replaces the refresh token. The use of one that was replaced then ends the
   * grant with all its tokens. Default true.
   */
  readonly rotation: boolean;
  /** Whether the keys of ID tokens are published, at `jwks_uri`. Default true. */
  readonly publishesKeys: boolean;
  /** Claims of ID tokens that differ; `undefined` leaves one out. Default: empty. */
  readonly idTokenClaims: Readonly<Record<string, unknown>>;
  /**
   * How ID tokens are signed: with the published key, with another one under the same `kid`, with the
   * client secret (HS256), or not at all (the algorithm `none`). Default `published-key`.
   */
  readonly idTokenSignature: IdTokenSignature;
  /** Default `standard`. */
  readonly shape: ProviderShape;
}

/** What applies where nothing else is set. */
export const DEFAULT_SETTINGS: ProviderSettings = {
  users: [{ sub: 'ada', email: 'ada@example.com', name: 'Ada Lovelace' }],
  autoApprove: false,
  scopes: ['openid', 'email', 'profile', 'offline_access', 'read', 'write'],
  resources: null,
  discovery: ['oauth', 'openid-inserted', 'openid'],
  iss: true,
  pkce: true,
  registration: true,
  registeredClientSeconds: null,
  clientIdMetadata: true,
  authMethods: ['none', 'client_secret_basic', 'client_secret_post'],
  revocation: true,
  accessTokenSeconds: 3600,
  refreshTokenSeconds: null,
  refreshTokens: 'always',
  rotation: true,
  publishesKeys: true,
  idTokenClaims: {},
  idTokenSignature: 'published-key',
  shape: 'standard',
};
