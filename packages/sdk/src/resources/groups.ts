import { routes } from '@gatehouse/contract/routes';
import type { ApiPromise } from '../calls/api-promise.ts';
import type { ListPromise } from '../calls/pagination.ts';
import type { Transport } from '../calls/transport.ts';
import type { IdempotentOptions, RequestOptions, UpdateOptions } from '../options/options.ts';
import type {
  CreateGroupBody,
  Group,
  GroupResponse,
  ListGroupsQuery,
  UpdateGroupBody,
} from '../types/group.ts';
import { GroupMembers } from './group-members.ts';

/**
 * Teams that policies may name instead of their members. Members see the groups they are in; admins and
 * owners see and change all groups.
 *
 * @example
 * ```ts
 * const names = async (groups: Groups) =>
 *   (await groups.list().toArray({ max: 1000 })).map(({ name }) => name);
 * console.log(await names(gatehouse.groups));
 * ```
 */
export class Groups {
  /** The members of a group. */
  readonly members: GroupMembers;
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
    this.members = new GroupMembers(transport);
  }

  /**
   * Creates a group. With an `externalId`, the identity provider decides who is in it. `POST /groups`,
   * for admins and owners.
   *
   * @throws BadRequestError when a field is invalid; `problem.errors` names it.
   * @throws PermissionDeniedError when the caller is neither admin nor owner.
   * @throws ConflictError when a group has this name or external id, or there are 1,000 groups.
   *
   * @example
   * ```ts
   * const { group } = await gatehouse.groups.create({ name: 'Support' });
   * await gatehouse.groups.members.add(group.id, memberId);
   * ```
   */
  create(body: CreateGroupBody, options?: IdempotentOptions): ApiPromise<GroupResponse> {
    return this.#transport.json(routes.groups.create, { params: {}, body, options });
  }

  /**
   * Lists groups, newest first: all for admins and owners, for a member those they are in. `GET /groups`.
   *
   * @throws BadRequestError when `limit` or `cursor` is invalid.
   *
   * @example
   * ```ts
   * for await (const { name } of gatehouse.groups.list()) console.log(name);
   * ```
   */
  list(query?: ListGroupsQuery, options?: RequestOptions): ListPromise<Group> {
    return this.#transport.list(routes.groups.list, { params: {}, query, options });
  }

  /**
   * Returns one group. `GET /groups/:id`.
   *
   * @throws NotFoundError when there is no such group, or the caller may not see it.
   *
   * @example
   * ```ts
   * const { group } = await gatehouse.groups.get(id);
   * console.log(group.name);
   * ```
   */
  get(id: string, options?: RequestOptions): ApiPromise<GroupResponse> {
    return this.#transport.json(routes.groups.get, { params: { id }, options });
  }

  /**
   * Changes the name, or what the identity provider calls the group. `PATCH /groups/:id`, for admins
   * and owners.
   *
   * @throws BadRequestError when a field is invalid.
   * @throws PermissionDeniedError when the caller is neither admin nor owner.
   * @throws NotFoundError when the organization has no such group.
   * @throws ConflictError when another group has this name or external id.
   * @throws PreconditionFailedError when it changed since `ifMatch`.
   *
   * @example
   * ```ts
   * await gatehouse.groups.update(id, { name: 'Customer support' });
   * ```
   */
  update(id: string, body: UpdateGroupBody, options?: UpdateOptions): ApiPromise<GroupResponse> {
    return this.#transport.json(routes.groups.update, { params: { id }, body, options });
  }

  /**
   * Deletes a group that no policy names. Its members stay members of the organization.
   * `DELETE /groups/:id`, for admins and owners.
   *
   * @throws PermissionDeniedError when the caller is neither admin nor owner.
   * @throws NotFoundError when the organization has no such group.
   * @throws ConflictError when policies name it; `problem.errors` lists up to 20 of them.
   * @throws PreconditionFailedError when it changed since `ifMatch`.
   *
   * @example
   * ```ts
   * await gatehouse.groups.delete(id);
   * ```
   */
  delete(id: string, options?: UpdateOptions): ApiPromise<void> {
    return this.#transport.empty(routes.groups.delete, { params: { id }, options });
  }
}
