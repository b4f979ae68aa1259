import type { Open } from './open.ts';
import type { PageQuery } from './pagination.ts';

/**
 * What a personal access token may be used for. A scope limits the token; the role of its user limits
 * the user.
 *
 * - `mcp`: the gateway.
 * - `management:read`: reading by the API.
 * - `management:write`: reading and writing by the API.
 */
export type TokenScope = 'mcp' | 'management:read' | 'management:write';

/**
 * A personal access token, without its secret.
 */
export interface Token {
  /** UUID. */
  id: string;
  name: string;
  scopes: Open<TokenScope>[];
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601; `null` when it does not expire. */
  expiresAt: string | null;
  /** ISO 8601, coarse to the minute; `null` when never used. */
  lastUsedAt: string | null;
}

/**
 * The response of `tokens.create`.
 */
export interface CreateTokenResponse {
  token: Token;
  /** The bearer token, returned only once. */
  secret: string;
}

/**
 * Body of `tokens.create`.
 */
export interface CreateTokenBody {
  /** 1 to 200 characters. */
  readonly name: string;
  /** At least one. */
  readonly scopes: readonly TokenScope[];
  /** ISO 8601, in the future; without it, or with `null`, the token does not expire. */
  readonly expiresAt?: string | null | undefined;
}

/**
 * Which tokens to list.
 */
export type ListTokensQuery = PageQuery;
