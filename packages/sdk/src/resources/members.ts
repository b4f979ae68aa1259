import { routes } from '@gatehouse/contract/routes';
import type { ApiPromise } from '../calls/api-promise.ts';
import type { ListPromise } from '../calls/pagination.ts';
import type { Transport } from '../calls/transport.ts';
import type { IdempotentOptions, RequestOptions } from '../options/options.ts';
import type {
  CreateMemberBody,
  CreateMemberResponse,
  ListMembersQuery,
  Member,
  MemberResponse,
  RemoveMemberResponse,
  UpdateMemberBody,
} from '../types/member.ts';
import type { RevokeAccessResponse } from '../types/revoked-access.ts';

/**
 * The members of the organization. For admins and owners.
 *
 * @example
 * ```ts
 * const owners = async (members: Members) =>
 *   (await members.list().toArray({ max: 1000 })).filter(({ role }) => role === 'owner');
 * console.log(await owners(gatehouse.members));
 * ```
 */
export class Members {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Adds a member. Only this response contains the `invitation`, an access token with which the new
   * member can call `tokens.create` once, and the `invitationUrl`, where they choose a password. Both
   * work for seven days. `POST /members`.
   *
   * @throws BadRequestError when a field is invalid; `problem.errors` names it.
   * @throws PermissionDeniedError when the caller may not grant the role.
   * @throws ConflictError when a member already has this e-mail address.
   *
   * @example
   * ```ts
   * const { member, invitationUrl } = await gatehouse.members.create({
   *   email: 'ada@example.com',
   *   name: 'Ada',
   *   role: 'member',
   * });
   * await send(member.email, invitationUrl);
   * ```
   */
  create(body: CreateMemberBody, options?: IdempotentOptions): ApiPromise<CreateMemberResponse> {
    return this.#transport.json(routes.members.create, { params: {}, body, options });
  }

  /**
   * Lists the members, newest first, or with `groupId` those of a group. `GET /members`.
   *
   * @throws PermissionDeniedError when the caller is neither admin nor owner.
   *
   * @example
   * ```ts
   * for await (const { name, role } of gatehouse.members.list()) console.log(name, role);
   * ```
   */
  list(query?: ListMembersQuery, options?: RequestOptions): ListPromise<Member> {
    return this.#transport.list(routes.members.list, { params: {}, query, options });
  }

  /**
   * Updates some fields. Only owners may grant or remove the role `owner`. `PATCH /members/:id`.
   *
   * @throws BadRequestError when a field is invalid.
   * @throws PermissionDeniedError when the caller may not change this member or grant the role.
   * @throws NotFoundError when the organization has no such member.
   * @throws ConflictError when it would leave the organization without an owner.
   *
   * @example
   * ```ts
   * await gatehouse.members.update(id, { role: 'admin' });
   * ```
   */
  update(
    id: string,
    body: UpdateMemberBody,
    options?: IdempotentOptions,
  ): ApiPromise<MemberResponse> {
    return this.#transport.json(routes.members.update, { params: { id }, body, options });
  }

  /**
   * Removes a member and ends their tokens, grants, sessions, connections and places in groups at once.
   * Applications remain; the response names those with a secret that the member may know, and the groups
   * they were in. `DELETE /members/:id`.
   *
   * @throws PermissionDeniedError when the caller may not remove this member.
   * @throws NotFoundError when the organization has no such member.
   * @throws ConflictError when it would leave the organization without an owner.
   *
   * @example
   * ```ts
   * const { applications } = await gatehouse.members.remove(id);
   * for (const { id } of applications) await gatehouse.applications.rotateSecret(id);
   * ```
   */
  remove(id: string, options?: IdempotentOptions): ApiPromise<RemoveMemberResponse> {
    return this.#transport.json(routes.members.remove, { params: { id }, options });
  }

  /**
   * Ends all access of a member without removing them: tokens, grants, remembered consents, browser
   * sessions and open sessions. Yours too, with the token of this call. `POST /members/:id/revoke-access`.
   *
   * @throws PermissionDeniedError when the caller may not change this member.
   * @throws NotFoundError when the organization has no such member.
   *
   * @example
   * ```ts
   * const { revoked } = await gatehouse.members.revokeAccess(id);
   * console.log(`${revoked.tokens} tokens and ${revoked.streams} streams ended.`);
   * ```
   */
  revokeAccess(id: string, options?: IdempotentOptions): ApiPromise<RevokeAccessResponse> {
    return this.#transport.json(routes.members.revokeAccess, { params: { id }, options });
  }
}
