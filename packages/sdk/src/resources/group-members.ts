import { routes } from '@gatehouse/contract/routes';
import type { ApiPromise } from '../calls/api-promise.ts';
import type { ListPromise } from '../calls/pagination.ts';
import type { Transport } from '../calls/transport.ts';
import type { IdempotentOptions, RequestOptions } from '../options/options.ts';
import type { ListGroupMembersQuery } from '../types/group.ts';
import type { Member } from '../types/member.ts';

/**
 * The members of a group. For admins and owners.
 *
 * @example
 * ```ts
 * const count = async (members: GroupMembers) =>
 *   (await members.list(id).toArray({ max: 10_000 })).length;
 * console.log(await count(gatehouse.groups.members));
 * ```
 */
export class GroupMembers {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Lists who is in a group, newest member of the organization first. `GET /groups/:id/members`.
   *
   * @throws PermissionDeniedError when the caller is neither admin nor owner.
   * @throws NotFoundError when the organization has no such group.
   *
   * @example
   * ```ts
   * for await (const { name } of gatehouse.groups.members.list(id)) console.log(name);
   * ```
   */
  list(id: string, query?: ListGroupMembersQuery, options?: RequestOptions): ListPromise<Member> {
    return this.#transport.list(routes.groups.listMembers, { params: { id }, query, options });
  }

  /**
   * Adds a member; adding them again has no effect. `PUT /groups/:id/members/:memberId`.
   *
   * @throws PermissionDeniedError when the caller is neither admin nor owner.
   * @throws NotFoundError when the organization has no such group or member.
   * @throws ConflictError when the identity provider decides who is in the group, or it has 10,000 members.
   *
   * @example
   * ```ts
   * await gatehouse.groups.members.add(id, memberId);
   * ```
   */
  add(id: string, memberId: string, options?: IdempotentOptions): ApiPromise<void> {
    return this.#transport.empty(routes.groups.addMember, { params: { id, memberId }, options });
  }

  /**
   * Removes a member. What they may do only as a member of the group ends at once. Removing them again has
   * no effect. `DELETE /groups/:id/members/:memberId`.
   *
   * @throws PermissionDeniedError when the caller is neither admin nor owner.
   * @throws NotFoundError when the organization has no such group or member.
   * @throws ConflictError when the identity provider decides who is in the group.
   *
   * @example
   * ```ts
   * await gatehouse.groups.members.remove(id, memberId);
   * ```
   */
  remove(id: string, memberId: string, options?: IdempotentOptions): ApiPromise<void> {
    return this.#transport.empty(routes.groups.removeMember, { params: { id, memberId }, options });
  }
}
