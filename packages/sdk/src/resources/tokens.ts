import { routes } from '@gatehouse/contract/routes';
import type { ApiPromise } from '../calls/api-promise.ts';
import type { ListPromise } from '../calls/pagination.ts';
import type { Transport } from '../calls/transport.ts';
import type { IdempotentOptions, RequestOptions } from '../options/options.ts';
import type {
  CreateTokenBody,
  CreateTokenResponse,
  ListTokensQuery,
  Token,
} from '../types/token.ts';

/**
 * Personal access tokens.
 *
 * @example
 * ```ts
 * const unused = async (tokens: Tokens) =>
 *   (await tokens.list()).items.filter(({ lastUsedAt }) => lastUsedAt === null);
 * console.log(await unused(gatehouse.tokens));
 * ```
 */
export class Tokens {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Creates a token for the caller. Only this response contains its `secret`. `POST /tokens`.
   *
   * @throws BadRequestError when a field is invalid; `problem.errors` names it.
   * @throws ConflictError when the invitation was already used.
   *
   * @example
   * ```ts
   * const { secret } = await gatehouse.tokens.create({ name: 'CI', scopes: ['management:read'] });
   * await store(secret);
   * ```
   */
  create(body: CreateTokenBody, options?: IdempotentOptions): ApiPromise<CreateTokenResponse> {
    return this.#transport.json(routes.tokens.create, { params: {}, body, options });
  }

  /**
   * Lists the caller's tokens, newest first, without their secrets. `GET /tokens`.
   *
   * @example
   * ```ts
   * for await (const { name, lastUsedAt } of gatehouse.tokens.list()) console.log(name, lastUsedAt);
   * ```
   */
  list(query?: ListTokensQuery, options?: RequestOptions): ListPromise<Token> {
    return this.#transport.list(routes.tokens.list, { params: {}, query, options });
  }

  /**
   * Revokes a token of the caller. Admins and owners may revoke any token. `DELETE /tokens/:id`.
   *
   * @throws NotFoundError when there is no such token, or the caller may not revoke it.
   *
   * @example
   * ```ts
   * await gatehouse.tokens.revoke(id);
   * ```
   */
  revoke(id: string, options?: IdempotentOptions): ApiPromise<void> {
    return this.#transport.empty(routes.tokens.revoke, { params: { id }, options });
  }
}
