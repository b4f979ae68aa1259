import type { Open } from './open.ts';
import type { PageQuery } from './pagination.ts';

/**
 * What a user may do in the organization.
 *
 * - `owner`: everything.
 * - `admin`: everything but what concerns owners.
 * - `member`: what is their own, and using what is there.
 */
export type MemberRole = 'owner' | 'admin' | 'member';

/**
 * A user of the organization.
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
 * A response with one member.
 */
export interface MemberResponse {
  member: Member;
}

/**
 * The response of `members.create`.
 */
export interface CreateMemberResponse {
  member: Member;
  /** A bearer token for the new member, returned only once. */
  invitation: string;
  /** Where the new member chooses a password, also returned only once. */
  invitationUrl: string;
}

/**
 * The response of `members.remove`.
 */
export interface RemoveMemberResponse {
  /** Those with a client secret that the removed member may know, newest first, at most 100. */
  applications: { id: string; name: string }[];
  /** Those that the member was in, newest first, at most 100. */
  groups: { id: string; name: string }[];
}

/**
 * Body of `members.create`.
 */
export interface CreateMemberBody {
  /** Not in use by another member; stored in lower case. */
  readonly email: string;
  /** 1 to 200 characters. */
  readonly name: string;
  /** Only owners may give `owner`. */
  readonly role: MemberRole;
}

/**
 * Body of `members.update`: omitted fields do not change.
 */
export interface UpdateMemberBody {
  /** 1 to 200 characters. */
  readonly name?: string | undefined;
  /** Only owners may give or take `owner`, and one owner has to remain. */
  readonly role?: MemberRole | undefined;
}

/**
 * Which members to list.
 */
export interface ListMembersQuery extends PageQuery {
  /** Only who is in this group. */
  readonly groupId?: string | undefined;
}
