import { routes } from '@gatehouse/contract/routes';
import type { ApiPromise } from '../calls/api-promise.ts';
import type { ListPromise } from '../calls/pagination.ts';
import type { Transport } from '../calls/transport.ts';
import type { IdempotentOptions, RequestOptions, UpdateOptions } from '../options/options.ts';
import type { AccessGraph, AccessGraphQuery } from '../types/access-graph.ts';
import type {
  Application,
  ApplicationResponse,
  ApplicationWithSecretResponse,
  CreateApplicationBody,
  ListApplicationsQuery,
  UpdateApplicationBody,
} from '../types/application.ts';
import type { RevokeAccessResponse } from '../types/revoked-access.ts';
import { ApplicationAggregate } from './application-aggregate.ts';
import { ApplicationIntegrations } from './application-integrations.ts';
import { ApplicationOauthClient } from './application-oauth.ts';
import { ApplicationSessions } from './application-sessions.ts';

/**
 * OAuth clients that integrations are attached to. Members see and change their own; admins and
 * owners all of the organization.
 *
 * @example
 * ```ts
 * const own = (applications: Applications) => applications.list().toArray({ max: 500 });
 * const found = await own(gatehouse.applications);
 * ```
 */
export class Applications {
  /** The OAuth client of an application. */
  readonly oauth: ApplicationOauthClient;
  /** What the one URL of an application lists. */
  readonly aggregate: ApplicationAggregate;
  /** The integrations attached to an application. */
  readonly integrations: ApplicationIntegrations;
  /** The sessions of an application. */
  readonly sessions: ApplicationSessions;
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
    this.oauth = new ApplicationOauthClient(transport);
    this.aggregate = new ApplicationAggregate(transport);
    this.integrations = new ApplicationIntegrations(transport);
    this.sessions = new ApplicationSessions(transport);
  }

  /**
   * Creates an application. Only this response contains the secret of a confidential client, as
   * `oauth.clientSecret`: store it at once. `POST /applications`.
   *
   * @throws BadRequestError when a field is invalid; `problem.errors` names it.
   *
   * @example
   * ```ts
   * const { application, oauth } = await gatehouse.applications.create({
   *   name: 'Support assistant',
   *   oauth: { type: 'confidential', redirectUris: ['https://assistant.example.com/callback'] },
   * });
   * await store(oauth.clientSecret);
   * ```
   */
  create(
    body: CreateApplicationBody,
    options?: IdempotentOptions,
  ): ApiPromise<ApplicationWithSecretResponse> {
    return this.#transport.json(routes.applications.create, { params: {}, body, options });
  }

  /**
   * Lists the caller's applications, newest first, or with `all` those of the organization.
   * `GET /applications`.
   *
   * @throws BadRequestError when `limit` or `cursor` is invalid.
   * @throws PermissionDeniedError for `all` when the caller is neither admin nor owner.
   *
   * @example
   * ```ts
   * for await (const { name } of gatehouse.applications.list({ all: true })) console.log(name);
   * ```
   */
  list(query?: ListApplicationsQuery, options?: RequestOptions): ListPromise<Application> {
    return this.#transport.list(routes.applications.list, { params: {}, query, options });
  }

  /**
   * Returns one application, also an archived one. `GET /applications/:id`.
   *
   * @throws NotFoundError when there is no such application, or the caller may not see it.
   *
   * @example
   * ```ts
   * const { application } = await gatehouse.applications.get(id);
   * console.log(application.liveSessionCount);
   * ```
   */
  get(id: string, options?: RequestOptions): ApiPromise<ApplicationResponse> {
    return this.#transport.json(routes.applications.get, { params: { id }, options });
  }

  /**
   * Changes the name, the limits or the one URL. `PATCH /applications/:id`.
   *
   * @throws BadRequestError when the name or a limit is invalid.
   * @throws NotFoundError when there is no such application, or the caller may not see it.
   * @throws ConflictError when it is archived.
   * @throws PreconditionFailedError when it changed since `ifMatch`.
   *
   * @example
   * ```ts
   * await gatehouse.applications.update(id, { name: 'Support' });
   * ```
   */
  update(
    id: string,
    body: UpdateApplicationBody,
    options?: UpdateOptions,
  ): ApiPromise<ApplicationResponse> {
    return this.#transport.json(routes.applications.update, { params: { id }, body, options });
  }

  /**
   * Archives an application and ends its sessions, tokens and grants. The application is not deleted. Archiving it again has no
   * effect. `DELETE /applications/:id`.
   *
   * @throws NotFoundError when there is no such application, or the caller may not see it.
   * @throws PreconditionFailedError when it changed since `ifMatch`.
   *
   * @example
   * ```ts
   * await gatehouse.applications.archive(id);
   * ```
   */
  archive(id: string, options?: UpdateOptions): ApiPromise<void> {
    return this.#transport.empty(routes.applications.archive, { params: { id }, options });
  }

  /**
   * Restores an archived application. Its old sessions and tokens stay revoked.
   * `POST /applications/:id/restore`.
   *
   * @throws NotFoundError when there is no such application, or the caller may not see it.
   *
   * @example
   * ```ts
   * const { application } = await gatehouse.applications.restore(id);
   * ```
   */
  restore(id: string, options?: IdempotentOptions): ApiPromise<ApplicationResponse> {
    return this.#transport.json(routes.applications.restore, { params: { id }, options });
  }

  /**
   * Replaces the client secret. The previous one stops working at once. Only this response contains
   * the new one, as `oauth.clientSecret`. `POST /applications/:id/rotate-secret`.
   *
   * @throws NotFoundError when there is no such application, or the caller may not see it.
   * @throws ConflictError when it is archived or its client is public.
   *
   * @example
   * ```ts
   * const { oauth } = await gatehouse.applications.rotateSecret(id);
   * await store(oauth.clientSecret);
   * ```
   */
  rotateSecret(id: string, options?: IdempotentOptions): ApiPromise<ApplicationWithSecretResponse> {
    return this.#transport.json(routes.applications.rotateSecret, { params: { id }, options });
  }

  /**
   * Ends all access through an application without archiving it: tokens, grants, remembered consents
   * and open sessions. People and clients may ask again. `POST /applications/:id/revoke-access`.
   *
   * @throws NotFoundError when there is no such application, or the caller may not see it.
   *
   * @example
   * ```ts
   * const { revoked } = await gatehouse.applications.revokeAccess(id);
   * console.log(`${revoked.grants} grants and ${revoked.streams} streams ended.`);
   * ```
   */
  revokeAccess(id: string, options?: IdempotentOptions): ApiPromise<RevokeAccessResponse> {
    return this.#transport.json(routes.applications.revokeAccess, { params: { id }, options });
  }

  /**
   * Returns which application may use which integration. `GET /applications/access-graph`, for
   * admins and owners.
   *
   * @throws PermissionDeniedError when the caller is neither admin nor owner.
   *
   * @example
   * ```ts
   * const { edges } = await gatehouse.applications.accessGraph({ includePolicy: true });
   * const refused = edges.filter(({ policy }) => policy?.allowed === false);
   * ```
   */
  accessGraph(query?: AccessGraphQuery, options?: RequestOptions): ApiPromise<AccessGraph> {
    return this.#transport.json(routes.applications.accessGraph, { params: {}, query, options });
  }
}
