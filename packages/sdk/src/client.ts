import { routes } from '@gatehouse/contract/routes';
import type { ApiPromise } from './calls/api-promise.ts';
import type { RequestArguments, RequestMethod, RequestPath, ResponseTo } from './calls/request.ts';
import { Transport } from './calls/transport.ts';
import type { GatehouseOptions, RequestOptions } from './options/options.ts';
import { type InternalOptions, resolveOptions } from './resolve-options.ts';
import { Applications } from './resources/applications.ts';
import { Groups } from './resources/groups.ts';
import { Integrations } from './resources/integrations.ts';
import { Members } from './resources/members.ts';
import { Tokens } from './resources/tokens.ts';
import { Usage } from './resources/usage.ts';
import type { CallOptions } from './transport/request.ts';
import type { PathParams } from './transport/url.ts';
import type { Me } from './types/account.ts';

/** The arguments of any request. */
interface AnyRequest extends CallOptions {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
}

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
  /** Teams, which policies may name instead of their members. */
  readonly groups: Groups;
  /** How often, by whom and how fast integrations are called. */
  readonly usage: Usage;
  readonly #options: InternalOptions;
  readonly #transport: Transport;

  /** @throws InvalidArgumentError naming the option that is missing or invalid. */
  constructor(options: GatehouseOptions = {}) {
    const resolved = resolveOptions(options);
    const transport = new Transport(resolved);
    this.#options = { ...options, accessTokens: resolved.accessTokens };
    this.#transport = transport;
    this.integrations = new Integrations(transport);
    this.applications = new Applications(transport);
    this.tokens = new Tokens(transport);
    this.members = new Members(transport);
    this.groups = new Groups(transport);
    this.usage = new Usage(transport);
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

  /**
   * Calls an endpoint that no method covers, such as those of connections, with everything that methods
   * have: token, retries, timeouts, hooks and errors. `path` is the template; `params` fill it.
   *
   * @example
   * ```ts
   * const { connection } = await gatehouse.request('GET', '/integrations/:id/connection', {
   *   params: { id },
   * });
   * console.log(connection.connected, connection.displayName);
   * ```
   */
  request<Method extends RequestMethod, Path extends RequestPath<Method>>(
    method: Method,
    path: Path,
    ...[call]: RequestArguments<Method, Path>
  ): ApiPromise<ResponseTo<Method, Path>> {
    const { params = {}, query, body, ...options }: AnyRequest = { ...call };
    // A POST among them that the service does not replay changes nothing, so that it may be sent again.
    const route = { method, path };
    const sent = { params: params as PathParams<Path>, query, body, options };
    // Nothing that is deleted has a body here.
    return method === 'DELETE'
      ? (this.#transport.empty(route, sent) as ApiPromise<ResponseTo<Method, Path>>)
      : this.#transport.json(route, sent);
  }

  /**
   * A client with other options, such as another `timeout` or more `headers`. It shares the token of this
   * one, and its refreshing, unless `accessToken` is given.
   *
   * @throws InvalidArgumentError naming the option that is invalid.
   *
   * @example
   * ```ts
   * const patient = gatehouse.withOptions({ timeout: 120_000, headers: { 'X-Job': 'nightly' } });
   * await patient.integrations.validate(id);
   * ```
   */
  withOptions(options: GatehouseOptions): Gatehouse {
    const { accessTokens, ...own } = this.#options;
    return createClient({
      ...own,
      ...(options.accessToken === undefined && { accessTokens }),
      ...options,
      headers: { ...own.headers, ...options.headers },
    });
  }
}

/** A class that names itself would be called `_Gatehouse` in the bundle. */
function createClient(options: GatehouseOptions): Gatehouse {
  return new Gatehouse(options);
}
