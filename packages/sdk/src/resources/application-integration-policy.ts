import { routes } from '@gatehouse/contract/routes';
import type { ApiPromise } from '../calls/api-promise.ts';
import type { Transport } from '../calls/transport.ts';
import type { RequestOptions, UpdateOptions } from '../options/options.ts';
import type { PolicyInput, PolicyResponse } from '../types/policy.ts';

/**
 * Who may use an attached integration through an application, and which parts of it.
 *
 * @example
 * ```ts
 * const clear = (rules: ApplicationIntegrationPolicy) => rules.put(id, integrationId, null);
 * await clear(gatehouse.applications.integrations.policy);
 * ```
 */
export class ApplicationIntegrationPolicy {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Returns the rules of an attachment, `{}` when there are no rules.
   * `GET /applications/:id/integrations/:integrationId/policy`.
   *
   * @throws NotFoundError when there is no such application or integration, the caller may not see it, or
   * it is not attached.
   * @throws ConflictError when a later version has written the rules, and this one cannot read them.
   *
   * @example
   * ```ts
   * const { policy } = await gatehouse.applications.integrations.policy.get(id, integrationId);
   * ```
   */
  get(id: string, integrationId: string, options?: RequestOptions): ApiPromise<PolicyResponse> {
    return this.#transport.json(routes.applications.getPolicy, {
      params: { id, integrationId },
      options,
    });
  }

  /**
   * Replaces all rules of an attachment; `null` clears them. Open calls of people who lose access are cut.
   * `PUT /applications/:id/integrations/:integrationId/policy`.
   *
   * @throws BadRequestError when a rule is invalid, or names a member or group that does not exist or that
   * the caller may not name.
   * @throws NotFoundError when there is no such application or integration, the caller may not see it, or
   * it is not attached.
   * @throws ConflictError when the application is archived.
   * @throws PreconditionFailedError when the application changed since `ifMatch`.
   *
   * @example
   * ```ts
   * await gatehouse.applications.integrations.policy.put(id, integrationId, {
   *   tools: { allow: ['issue_*'], deny: ['issue_delete'] },
   * });
   * ```
   */
  put(
    id: string,
    integrationId: string,
    body: PolicyInput | null,
    options?: UpdateOptions,
  ): ApiPromise<PolicyResponse> {
    return this.#transport.json(routes.applications.putPolicy, {
      params: { id, integrationId },
      body,
      options,
    });
  }
}
