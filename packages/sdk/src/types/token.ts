import type { ListQuery } from './list.ts';
import type { Open } from './open.ts';

/**
 * What a personal access token may be used for.
 *
 * @example
 * ```ts
 * const scopes: TokenScope[] = ['mcp', 'management:read'];
 * ```
 */
export type TokenScope = 'mcp' | 'management:read' | 'management:write';

/**
 * A personal access token; its secret is not part of it.
 *
 * @example
 * ```ts
 * const isExpiring = ({ expiresAt }: Token) => expiresAt !== null;
 * ```
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
 * The answer of `tokens.create`.
 *
 * @example
 * ```ts
 * const { token, secret }: CreatedToken = await gatehouse.tokens.create({
 *   name: 'CI',
 *   scopes: ['mcp'],
 * });
 * ```
 */
export interface CreatedToken {
  token: Token;
  /** The bearer token, returned only this once. */
  secret: string;
}

/**
 * Body of `tokens.create`.
 *
 * @example
 * ```ts
 * const body: CreateToken = { name: 'CI', scopes: ['mcp'], expiresAt: '2027-01-01T00:00:00Z' };
 * ```
 */
export interface CreateToken {
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  /** ISO 8601, in the future; left out or `null`, the token does not expire. */
  readonly expiresAt?: string | null | undefined;
}

/**
 * Which tokens to list.
 *
 * @example
 * ```ts
 * const query: ListTokensQuery = { limit: 100 };
 * ```
 */
export type ListTokensQuery = ListQuery;
