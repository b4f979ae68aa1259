import type { MemberRole } from './member.ts';
import type { Open } from './open.ts';

/**
 * The user a token names.
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
 */
export interface Organization {
  /** UUID. */
  id: string;
  name: string;
}

/**
 * Who the access token is.
 */
export interface Me {
  user: User;
  organization: Organization;
}
