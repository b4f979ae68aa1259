import type { ListQuery } from './list.ts';
import type { Open } from './open.ts';

/**
 * What a user may do in the organization.
 *
 * @example
 * ```ts
 * const role: MemberRole = 'admin';
 * ```
 */
export type MemberRole = 'owner' | 'admin' | 'member';

/**
 * A user of the organization.
 *
 * @example
 * ```ts
 * const mailto = ({ email }: Member) => `mailto:${email}`;
 * ```
 */
export interface Member {
  /** UUID of the user. */
  id: string;
  email: string;
  name: string;
  role: Open<MemberRole>;
  /** ISO 8601. */
  createdAt: string;
}

/**
 * The answer that carries one member.
 *
 * @example
 * ```ts
 * const { member }: MemberResponse = await gatehouse.members.update(id, { name: 'Ada' });
 * ```
 */
export interface MemberResponse {
  member: Member;
}

/**
 * The answer of `members.create`.
 *
 * @example
 * ```ts
 * const link = ({ invitation }: InvitedMember) => `https://example.com/join#${invitation}`;
 * ```
 */
export interface InvitedMember {
  member: Member;
  /** A bearer for the new member, returned only this once. */
  invitation: string;
}

/**
 * Body of `members.create`.
 *
 * @example
 * ```ts
 * const body: CreateMember = { email: 'ada@example.com', name: 'Ada', role: 'member' };
 * ```
 */
export interface CreateMember {
  readonly email: string;
  readonly name: string;
  readonly role: MemberRole;
}

/**
 * Body of `members.update`.
 *
 * @example
 * ```ts
 * const body: UpdateMember = { role: 'member' };
 * ```
 */
export interface UpdateMember {
  readonly name?: string | undefined;
  readonly role?: MemberRole | undefined;
}

/**
 * Which members to list.
 *
 * @example
 * ```ts
 * const query: ListMembersQuery = { limit: 100 };
 * ```
 */
export type ListMembersQuery = ListQuery;
