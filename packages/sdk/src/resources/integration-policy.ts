import { routes } from '@gatehouse/contract/routes';
import type { ApiPromise } from '../calls/api-promise.ts';
import type { Transport } from '../calls/transport.ts';
import type { RequestOptions, UpdateOptions } from '../options/options.ts';
import type { IntegrationPolicyInput, IntegrationPolicyResponse } from '../types/policy.ts';

/**
 * Who may use an integration through any application, and which parts of it. For admins and owners.
 *
 * @example
 * ```ts
 * const clear = (rules: IntegrationPolicyRules) => rules.put(id, null);
 * await clear(gatehouse.integrations.policy);
 * ```
 */
export class IntegrationPolicyRules {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Returns the rules of an integration, `{}` when there are no rules. `GET /integrations/:id/policy`.
   *
   * @throws PermissionDeniedError when the caller is neither admin nor owner.
   * @throws NotFoundError when the organization has no such integration.
   * @throws ConflictError when a later version has written the rules, and this one cannot read them.
   *
   * @example
   * ```ts
   * const { policy } = await gatehouse.integrations.policy.get(id);
   * ```
   */
  get(id: string, options?: RequestOptions): ApiPromise<IntegrationPolicyResponse> {
    return this.#transport.json(routes.integrations.getPolicy, { params: { id }, options });
  }

  /**
   * Replaces all rules of an integration; `null` clears them. Open calls of people who lose access are cut.
   * `PUT /integrations/:id/policy`.
   *
   * @throws BadRequestError when a rule is invalid, or names a member, group or application that does not
   * exist.
   * @throws PermissionDeniedError when the caller is neither admin nor owner.
   * @throws NotFoundError when the organization has no such integration.
   * @throws ConflictError when it is archived.
   * @throws PreconditionFailedError when it changed since `ifMatch`.
   *
   * @example
   * ```ts
   * await gatehouse.integrations.policy.put(id, {
   *   tools: { deny: ['*_delete'] },
   *   perApplication: { [applicationId]: { roles: ['admin', 'owner'] } },
   * });
   * ```
   */
  put(
    id: string,
    body: IntegrationPolicyInput | null,
    options?: UpdateOptions,
  ): ApiPromise<IntegrationPolicyResponse> {
    return this.#transport.json(routes.integrations.putPolicy, { params: { id }, body, options });
  }
}
