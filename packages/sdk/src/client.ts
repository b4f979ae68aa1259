import { routes } from '@gatehouse/contract/routes';
import type { ApiPromise } from './calls/api-promise.ts';
import { Transport } from './calls/transport.ts';
import type { GatehouseOptions, RequestOptions } from './options/options.ts';
import { resolveOptions } from './resolve-options.ts';
import { Applications } from './resources/applications.ts';
import { Integrations } from './resources/integrations.ts';
import { Members } from './resources/members.ts';
import { Tokens } from './resources/tokens.ts';
import type { Me } from './types/account.ts';

/**
 * The client of a Gatehouse service.
 *
 * Every method may throw `AuthenticationError` (401), `RateLimitError` (429), `ServerError` (5xx),
 * `ConnectionError`, `TimeoutError`, `AbortError`, `InvalidArgumentError` for an id or an option that
 * cannot be sent, `InvalidResponseError`, `PayloadTooLargeError`, and, for methods with
 * `idempotencyKey`, `UnprocessableContentError` (the key was used with another body) and
 * `ConflictError` (its first call is still running, or its secret is gone). The documentation of a
 * method lists only its other errors.
 *
 * @example
 * ```ts
 * const gatehouse = new Gatehouse({ baseUrl: 'https://gatehouse.example.com', accessToken });
 * const { user } = await gatehouse.me();
 *
 * // With OAuth, a function refreshes the access token whenever the service rejects the last one.
 * const refreshing = new Gatehouse({
 *   baseUrl: 'https://gatehouse.example.com',
 *   accessToken: async () => {
 *     const body = new URLSearchParams({
 *       grant_type: 'refresh_token',
 *       client_id: grant.clientId,
 *       refresh_token: await grant.load(),
 *     });
 *     const endpoint = 'https://gatehouse.example.com/oauth/token';
 *     const response = await fetch(endpoint, { method: 'POST', body });
 *     if (!response.ok) throw new Error('The grant has ended. Sign in again.');
 *     const tokens: { access_token: string; refresh_token: string } = await response.json();
 *     // A public client's refresh token works once. Keep the next one before anything else.
 *     await grant.save(tokens.refresh_token);
 *     return tokens.access_token;
 *   },
 * });
 * ```
 */
export class Gatehouse {
  /** Remote MCP endpoints and credential-only entries. */
  readonly integrations: Integrations;
  /** OAuth clients that integrations are attached to. */
  readonly applications: Applications;
  /** Personal access tokens. */
  readonly tokens: Tokens;
  /** The members of the organization. */
  readonly members: Members;
  readonly #transport: Transport;

  /** @throws InvalidArgumentError naming the option that is missing or invalid. */
  constructor(options: GatehouseOptions = {}) {
    const transport = new Transport(resolveOptions(options));
    this.#transport = transport;
    this.integrations = new Integrations(transport);
    this.applications = new Applications(transport);
    this.tokens = new Tokens(transport);
    this.members = new Members(transport);
  }

  /**
   * Returns the user and the organization of the access token, and how it authenticates. `GET /me`.
   *
   * @example
   * ```ts
   * const { user, organization } = await gatehouse.me();
   * console.log(`${user.name} of ${organization.name}`);
   * ```
   */
  me(options?: RequestOptions): ApiPromise<Me> {
    return this.#transport.json(routes.me.get, { params: {}, options });
  }
}
