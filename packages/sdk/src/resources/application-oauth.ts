import { routes } from '@gatehouse/contract/routes';
import type { ApiPromise } from '../calls/api-promise.ts';
import type { Transport } from '../calls/transport.ts';
import type { RequestOptions, UpdateOptions } from '../options/options.ts';
import type {
  ApplicationOauthResponse,
  UpdateApplicationOauthBody,
} from '../types/application-oauth.ts';

/**
 * The OAuth client of an application.
 *
 * @example
 * ```ts
 * const scopesOf = async (client: ApplicationOauthClient) => (await client.get(id)).oauth.scopes;
 * const scopes = await scopesOf(gatehouse.applications.oauth);
 * ```
 */
export class ApplicationOauthClient {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Returns the OAuth client, without its secret. `GET /applications/:id/oauth`.
   *
   * @throws NotFoundError when there is no such application, or the caller may not see it.
   *
   * @example
   * ```ts
   * const { oauth } = await gatehouse.applications.oauth.get(id);
   * ```
   */
  get(id: string, options?: RequestOptions): ApiPromise<ApplicationOauthResponse> {
    return this.#transport.json(routes.applications.getOauth, { params: { id }, options });
  }

  /**
   * Updates some fields of the OAuth client. `PATCH /applications/:id/oauth`.
   *
   * @throws BadRequestError when a field is invalid, or the result as a whole is.
   * @throws NotFoundError when there is no such application, or the caller may not see it.
   * @throws ConflictError when the application is archived.
   * @throws PreconditionFailedError when the application changed since `ifMatch`.
   *
   * @example
   * ```ts
   * await gatehouse.applications.oauth.update(id, { scopes: ['mcp', 'offline_access'] });
   * ```
   */
  update(
    id: string,
    body: UpdateApplicationOauthBody,
    options?: UpdateOptions,
  ): ApiPromise<ApplicationOauthResponse> {
    return this.#transport.json(routes.applications.updateOauth, { params: { id }, body, options });
  }
}
