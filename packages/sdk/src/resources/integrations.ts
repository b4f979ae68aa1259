import { routes } from '@gatehouse/contract/routes';
import type { ApiPromise } from '../calls/api-promise.ts';
import type { ListPromise } from '../calls/pagination.ts';
import type { Transport } from '../calls/transport.ts';
import type { IdempotentOptions, RequestOptions, UpdateOptions } from '../options/options.ts';
import type {
  CreateIntegrationBody,
  Integration,
  IntegrationResponse,
  ListIntegrationsQuery,
  UpdateIntegrationBody,
  ValidateIntegrationResponse,
} from '../types/integration.ts';
import { IntegrationPolicyRules } from './integration-policy.ts';

/**
 * Remote MCP endpoints and credential-only entries of the organization.
 *
 * @example
 * ```ts
 * const readActive = (integrations: Integrations) => integrations.list().toArray({ max: 500 });
 * const active = await readActive(gatehouse.integrations);
 * ```
 */
export class Integrations {
  /** Who may use an integration through any application, and what of it. */
  readonly policy: IntegrationPolicyRules;
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
    this.policy = new IntegrationPolicyRules(transport);
  }

  /**
   * Registers an integration. `POST /integrations`, for admins and owners.
   *
   * @throws BadRequestError when a field is invalid; `problem.errors` names it.
   * @throws PermissionDeniedError when the caller is neither admin nor owner.
   *
   * @example
   * ```ts
   * const { integration } = await gatehouse.integrations.create({
   *   name: 'Issue tracker',
   *   url: 'https://mcp.example.com/mcp',
   *   authMode: 'user_token',
   * });
   * ```
   */
  create(
    body: CreateIntegrationBody,
    options?: IdempotentOptions,
  ): ApiPromise<IntegrationResponse> {
    return this.#transport.json(routes.integrations.create, { params: {}, body, options });
  }

  /**
   * Lists the integrations of the organization, newest first. `GET /integrations`.
   *
   * @throws BadRequestError when `limit` or `cursor` is invalid.
   *
   * @example
   * ```ts
   * for await (const { name } of gatehouse.integrations.list({ name: 'issue' })) console.log(name);
   * ```
   */
  list(query?: ListIntegrationsQuery, options?: RequestOptions): ListPromise<Integration> {
    return this.#transport.list(routes.integrations.list, { params: {}, query, options });
  }

  /**
   * Returns one integration, also an archived one. `GET /integrations/:id`.
   *
   * @throws NotFoundError when the organization has no such integration.
   *
   * @example
   * ```ts
   * const { integration } = await gatehouse.integrations.get(id);
   * console.log(integration.userConnection?.status);
   * ```
   */
  get(id: string, options?: RequestOptions): ApiPromise<IntegrationResponse> {
    return this.#transport.json(routes.integrations.get, { params: { id }, options });
  }

  /**
   * Updates some fields. `PATCH /integrations/:id`, for admins and owners.
   *
   * @throws BadRequestError when a field is invalid, or the result as a whole is.
   * @throws PermissionDeniedError when the caller is neither admin nor owner.
   * @throws NotFoundError when the organization has no such integration.
   * @throws ConflictError when it is archived.
   * @throws PreconditionFailedError when it changed since `ifMatch`.
   *
   * @example
   * ```ts
   * await gatehouse.integrations.update(id, { name: 'Issues', credentialSchema: null });
   * ```
   */
  update(
    id: string,
    body: UpdateIntegrationBody,
    options?: UpdateOptions,
  ): ApiPromise<IntegrationResponse> {
    return this.#transport.json(routes.integrations.update, { params: { id }, body, options });
  }

  /**
   * Archives an integration: nothing is deleted, but the gateway stops serving it. Archiving it again
   * has no effect. `DELETE /integrations/:id`, for admins and owners.
   *
   * @throws PermissionDeniedError when the caller is neither admin nor owner.
   * @throws NotFoundError when the organization has no such integration.
   * @throws PreconditionFailedError when it changed since `ifMatch`.
   *
   * @example
   * ```ts
   * await gatehouse.integrations.archive(id);
   * ```
   */
  archive(id: string, options?: UpdateOptions): ApiPromise<void> {
    return this.#transport.empty(routes.integrations.archive, { params: { id }, options });
  }

  /**
   * Restores an archived integration, with its attachments.
   * `POST /integrations/:id/restore`, for admins and owners.
   *
   * @throws PermissionDeniedError when the caller is neither admin nor owner.
   * @throws NotFoundError when the organization has no such integration.
   *
   * @example
   * ```ts
   * const { integration } = await gatehouse.integrations.restore(id);
   * ```
   */
  restore(id: string, options?: IdempotentOptions): ApiPromise<IntegrationResponse> {
    return this.#transport.json(routes.integrations.restore, { params: { id }, options });
  }

  /**
   * Tests whether the integration is reachable and accepts the credential, and stores the result. An
   * unreachable integration is a result (`invalid`), not an error.
   * `POST /integrations/:id/validate`, for admins and owners.
   *
   * @throws PermissionDeniedError when the caller is neither admin nor owner.
   * @throws NotFoundError when the organization has no such integration.
   * @throws ConflictError when it is archived.
   *
   * @example
   * ```ts
   * const { status, message, stages } = await gatehouse.integrations.validate(id);
   * const failed = stages.find((stage) => stage.status === 'failed');
   * if (status !== 'valid') console.warn(message, failed?.code);
   * ```
   */
  validate(id: string, options?: RequestOptions): ApiPromise<ValidateIntegrationResponse> {
    return this.#transport.json(routes.integrations.validate, { params: { id }, options });
  }
}
