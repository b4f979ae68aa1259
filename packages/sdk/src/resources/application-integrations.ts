import { routes } from '@gatehouse/contract/routes';
import type { ApiPromise } from '../calls/api-promise.ts';
import type { Transport } from '../calls/transport.ts';
import type { IdempotentOptions, RequestOptions, UpdateOptions } from '../options/options.ts';
import type {
  ApplicationIntegrationsResponse,
  AttachedIntegrationResponse,
  SetApplicationIntegrationsBody,
  UpdateAttachedIntegrationBody,
} from '../types/application.ts';
import { ApplicationIntegrationPolicy } from './application-integration-policy.ts';

/**
 * The integrations attached to an application.
 *
 * @example
 * ```ts
 * const clear = (attached: ApplicationIntegrations) => attached.set(id, { integrationIds: [] });
 * await clear(gatehouse.applications.integrations);
 * ```
 */
export class ApplicationIntegrations {
  /** Who may use an attached integration through an application, and what of it. */
  readonly policy: ApplicationIntegrationPolicy;
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
    this.policy = new ApplicationIntegrationPolicy(transport);
  }

  /**
   * Returns the ids of all attached integrations in one response.
   * `GET /applications/:id/integrations`.
   *
   * @throws NotFoundError when there is no such application, or the caller may not see it.
   *
   * @example
   * ```ts
   * const { integrationIds } = await gatehouse.applications.integrations.list(id);
   * ```
   */
  list(id: string, options?: RequestOptions): ApiPromise<ApplicationIntegrationsResponse> {
    return this.#transport.json(routes.applications.listIntegrations, { params: { id }, options });
  }

  /**
   * Replaces the whole set: integrations that are not listed are detached. Either all of it changes
   * or nothing. `PUT /applications/:id/integrations`.
   *
   * @throws BadRequestError when an id is unknown, or newly attached and archived.
   * @throws NotFoundError when there is no such application, or the caller may not see it.
   * @throws ConflictError when the application is archived.
   * @throws PreconditionFailedError when the application changed since `ifMatch`.
   *
   * @example
   * ```ts
   * await gatehouse.applications.integrations.set(id, { integrationIds: [integrationId] });
   * ```
   */
  set(
    id: string,
    body: SetApplicationIntegrationsBody,
    options?: UpdateOptions,
  ): ApiPromise<ApplicationIntegrationsResponse> {
    return this.#transport.json(routes.applications.setIntegrations, {
      params: { id },
      body,
      options,
    });
  }

  /**
   * Attaches one integration; attaching it again has no effect.
   * `POST /applications/:id/integrations/:integrationId`.
   *
   * @throws NotFoundError when there is no such application or integration.
   * @throws ConflictError when one of them is archived, or 500 are attached already.
   *
   * @example
   * ```ts
   * await gatehouse.applications.integrations.attach(id, integrationId);
   * ```
   */
  attach(id: string, integrationId: string, options?: IdempotentOptions): ApiPromise<void> {
    return this.#transport.empty(routes.applications.attachIntegration, {
      params: { id, integrationId },
      options,
    });
  }

  /**
   * Changes the alias of an attached integration. It is made from the name when the integration is attached.
   * `PATCH /applications/:id/integrations/:integrationId`.
   *
   * @throws BadRequestError when the alias is reserved or has other characters than `a` to `z`, `0` to `9` and `-`.
   * @throws NotFoundError when there is no such application, or the integration is not attached.
   * @throws ConflictError when another integration of the application has the alias, or the application is archived.
   * @throws PreconditionFailedError when the application changed since `ifMatch`.
   *
   * @example
   * ```ts
   * await gatehouse.applications.integrations.update(id, integrationId, { alias: 'issues' });
   * ```
   */
  update(
    id: string,
    integrationId: string,
    body: UpdateAttachedIntegrationBody,
    options?: UpdateOptions,
  ): ApiPromise<AttachedIntegrationResponse> {
    return this.#transport.json(routes.applications.updateIntegration, {
      params: { id, integrationId },
      body,
      options,
    });
  }

  /**
   * Detaches one integration and ends its sessions through this application. Connections of users
   * remain. Detaching an integration that is not attached has no effect.
   * `DELETE /applications/:id/integrations/:integrationId`.
   *
   * @throws NotFoundError when there is no such application, or the caller may not see it.
   * @throws ConflictError when the application is archived.
   * @throws PreconditionFailedError when the application changed since `ifMatch`.
   *
   * @example
   * ```ts
   * await gatehouse.applications.integrations.detach(id, integrationId);
   * ```
   */
  detach(id: string, integrationId: string, options?: UpdateOptions): ApiPromise<void> {
    return this.#transport.empty(routes.applications.detachIntegration, {
      params: { id, integrationId },
      options,
    });
  }
}
