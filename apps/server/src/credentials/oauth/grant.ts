import type { UpstreamServer } from './discovery/upstream-server.ts';
import type { TokenSet, UpstreamClient } from './upstream.ts';

/**
 * What a connection of mode `oauth` seals: the tokens, and all that is needed to refresh and to revoke
 * them where they came from, also after the integration's configuration has changed.
 */
export interface OauthGrant {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Epoch milliseconds. */
  readonly obtainedAt: number;
  /** Epoch milliseconds, of the access token. Absent: unknown. */
  readonly expiresAt?: number;
  readonly scopes?: readonly string[];
  /** Scopes that calls lacked, to request with the granted ones when the person connects again. */
  readonly wantedScopes?: readonly string[];
  readonly server: UpstreamServer;
  /** The client that the tokens were issued to: no other one can refresh them. */
  readonly client: UpstreamClient;
  /** The preset's name. */
  readonly provider?: string;
}

/** Where a grant came from. */
export interface GrantOrigin {
  readonly server: UpstreamServer;
  readonly client: UpstreamClient;
  readonly provider: string | undefined;
}

export function newGrant(tokens: TokenSet, { server, client, provider }: GrantOrigin): OauthGrant {
  const { accessToken, refreshToken, expiresAt, scopes } = tokens;
  return {
    accessToken,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    obtainedAt: Date.now(),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(scopes === undefined ? {} : { scopes }),
    server,
    client,
    ...(provider === undefined ? {} : { provider }),
  };
}

/** A refresh that brings no refresh token leaves the earlier one valid (RFC 6749 section 6). */
export function refreshedGrant(
  grant: OauthGrant,
  tokens: TokenSet,
  client: UpstreamClient,
): OauthGrant {
  const { refreshToken = grant.refreshToken, scopes = grant.scopes, ...rest } = tokens;
  const { wantedScopes } = grant;
  const refreshed = newGrant(
    {
      ...rest,
      ...(refreshToken === undefined ? {} : { refreshToken }),
      ...(scopes === undefined ? {} : { scopes }),
    },
    { server: grant.server, client, provider: grant.provider },
  );
  return { ...refreshed, ...(wantedScopes === undefined ? {} : { wantedScopes }) };
}

/** When the grant itself ends, if known. It ends with the access token if nothing can refresh it. */
export function grantExpiry(tokens: TokenSet): Date | null {
  const { refreshToken, expiresAt, refreshTokenExpiresAt } = tokens;
  const end = refreshToken === undefined ? expiresAt : refreshTokenExpiresAt;
  return end === undefined ? null : new Date(end);
}

/**
 * The end of the grant after a refresh: unchanged if the response says nothing about the refresh token.
 */
export function expiryAfterRefresh(
  { refreshToken }: OauthGrant,
  tokens: TokenSet,
  before: Date | null,
): Date | null {
  const saysNothing =
    tokens.refreshToken === undefined && tokens.refreshTokenExpiresAt === undefined;
  if (saysNothing) return before;
  return grantExpiry(refreshToken === undefined ? tokens : { ...tokens, refreshToken });
}

/** The text to seal. */
export function serializeGrant(grant: OauthGrant): string {
  return JSON.stringify(grant);
}

/** Not validated, because the vault has authenticated it. */
export function parseGrant(text: string): OauthGrant {
  return JSON.parse(text) as OauthGrant;
}
