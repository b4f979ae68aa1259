import type { PageQuery } from './pagination.ts';

/**
 * A team of the organization that policies may name instead of its members.
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
  /** ISO 8601. Adding or removing members does not change it. */
  updatedAt: string;
}

/**
 * A response with one group.
 */
export interface GroupResponse {
  group: Group;
}

/**
 * A policy that names a group: of an integration, or of an application for it.
 */
export interface GroupPolicy {
  /** UUID. */
  integrationId: string;
  integrationName: string;
  /** UUID; `null` for a policy of the integration itself. */
  applicationId: string | null;
  applicationName: string | null;
}

/**
 * Where policies name a group.
 */
export interface GroupPoliciesResponse {
  /** At most 100. */
  policies: GroupPolicy[];
  /** Whether there are more. */
  truncated: boolean;
}

/**
 * Body of `groups.create`.
 */
export interface CreateGroupBody {
  /** 1 to 200 characters, unique without regard to case. */
  readonly name: string;
  /**
   * What the identity provider calls the group, compared exactly. At each sign-in, the
   * provider then decides who is in the group. Up to 500 characters.
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
