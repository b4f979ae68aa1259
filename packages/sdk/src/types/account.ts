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
 * Body of `PATCH /organization`: an omitted field does not change.
 */
export interface UpdateOrganizationBody {
  /** 1 to 200 characters. People read it when a client asks for their consent, for instance. */
  readonly name?: string | undefined;
}

/**
 * A response with the organization.
 */
export interface OrganizationResponse {
  organization: Organization;
}

/**
 * What a request was authenticated with.
 */
export type AuthenticationMethod = 'personal_token' | 'invitation' | 'oauth' | 'console';

/**
 * How the request was authenticated.
 */
export interface Authentication {
  method: Open<AuthenticationMethod>;
  /** UUID of the token; absent for `oauth`. */
  tokenId?: string;
  /** Absent for an invitation. */
  scopes: string[];
  /** ISO 8601; absent when it does not expire. */
  expiresAt?: string;
  /** UUID of the application that the OAuth token was issued to. */
  applicationId?: string;
}

/**
 * The user and the organization of the access token, and how it authenticates.
 */
export interface Me {
  user: User;
  organization: Organization;
  authentication: Authentication;
}
