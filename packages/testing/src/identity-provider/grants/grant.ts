/** Why a grant has ended. */
export type GrantEnd = 'code_reused' | 'refresh_token_reused' | 'revoked' | 'ended_by_test';

/** What one user has allowed one client, with what has happened to it. */
export interface ProviderGrant {
  readonly id: string;
  readonly clientId: string;
  readonly sub: string;
  readonly scopes: readonly string[];
  /** Resource indicators of the authorization request (RFC 8707). */
  readonly resources: readonly string[];
  /** Refreshes that were granted, also if their response was lost. */
  readonly refreshes: number;
  /** Uses of a refresh token that had been replaced. */
  readonly reusesDetected: number;
  /** Tokens revoked by the client. */
  readonly revocations: number;
  /** Undefined while the grant lives. */
  readonly endedBecause: GrantEnd | undefined;
}

/** The same, as the table changes it. */
export type MutableGrant = { -readonly [Key in keyof ProviderGrant]: ProviderGrant[Key] };

/** A token or code of a grant. */
export interface StoredToken {
  readonly kind: 'code' | 'access' | 'refresh';
  readonly grant: MutableGrant;
  readonly sub: string;
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  /** Milliseconds since 1970; `null` means never. */
  expiresAt: number | null;
  /** `used`: a redeemed code, or a refresh token that was replaced. */
  state: 'live' | 'used' | 'revoked';
}
