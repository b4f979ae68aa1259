import type { PageQuery } from './pagination.ts';

/**
 * A team of the organization, which policies may name instead of its members.
 */
export interface Group {
  /** UUID. */
  id: string;
  /** Unique without regard to case. */
  name: string;
  /** What the identity provider calls the group; `null` where admins choose its members. */
  externalId: string | null;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. A change of its members does not move it. */
  updatedAt: string;
}

/**
 * A response with one group.
 */
export interface GroupResponse {
  group: Group;
}

/**
 * Body of `groups.create`.
 */
export interface CreateGroupBody {
  /** 1 to 200 characters; not in use by another group, in whatever case. */
  readonly name: string;
  /**
   * What the identity provider calls the group, compared exactly. Who is in the group then follows the
   * provider at each sign-in. Up to 500 characters.
   *
   * @defaultValue null
   */
  readonly externalId?: string | null | undefined;
}

/**
 * Body of `groups.update`: omitted fields do not change.
 */
export interface UpdateGroupBody {
  /** 1 to 200 characters. */
  readonly name?: string | undefined;
  /** `null` lets admins choose the members. Nobody joins or leaves by this change alone. */
  readonly externalId?: string | null | undefined;
}

/**
 * Which groups to list.
 */
export type ListGroupsQuery = PageQuery;

/**
 * Which members of a group to list.
 */
export type ListGroupMembersQuery = PageQuery;
