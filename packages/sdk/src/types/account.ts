import type { MemberRole } from './member.ts';
import type { Open } from './open.ts';

/**
 * The user a token names.
 *
 * @example
 * ```ts
 * const { user }: { user: User } = await gatehouse.me();
 * const isAdmin = user.role === 'admin' || user.role === 'owner';
 * ```
 */
export interface User {
  /** UUID. */
  id: string;
  email: string;
  name: string;
  role: Open<MemberRole>;
}

/**
 * The organization a token belongs to.
 *
 * @example
 * ```ts
 * const { organization }: { organization: Organization } = await gatehouse.me();
 * ```
 */
export interface Organization {
  /** UUID. */
  id: string;
  name: string;
}

/**
 * Who the access token is.
 *
 * @example
 * ```ts
 * const { user, organization }: Me = await gatehouse.me();
 * ```
 */
export interface Me {
  user: User;
  organization: Organization;
}
