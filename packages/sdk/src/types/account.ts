import type { MemberRole } from './member.ts';
import type { Open } from './open.ts';

/**
 * The user that the access token belongs to.
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
 * The user and the organization of the access token.
 */
export interface Me {
  user: User;
  organization: Organization;
}
