import type { Open } from './open.ts';
import type { PageQuery } from './pagination.ts';

/**
 * What a user may do in the organization.
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
}

/**
 * Body of `members.create`.
 */
export interface CreateMemberBody {
  readonly email: string;
  readonly name: string;
  readonly role: MemberRole;
}

/**
 * Body of `members.update`.
 */
export interface UpdateMemberBody {
  readonly name?: string | undefined;
  readonly role?: MemberRole | undefined;
}

/**
 * Which members to list.
 */
export type ListMembersQuery = PageQuery;
