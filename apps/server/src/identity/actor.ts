import type { MemberRole, TokenScope } from '@gatehouse/contract';
import type { Resource } from './resource.ts';

/** The authenticated caller: one user of one organization, or an application for itself, by one token. */
export interface Actor {
  readonly organizationId: string;
  /** The member; for an application that acts for itself, the application. */
  readonly userId: string;
  readonly role: MemberRole;
  /**
   * The id of a personal token or invitation, of the grant that an OAuth access token belongs to, or of
   * the application that acts for itself.
   */
  readonly tokenId: string;
  readonly tokenKind: 'personal' | 'invitation' | 'oauth';
  /** When that token or grant expires. An OAuth access token may expire earlier, but its streams last. */
  readonly tokenExpiresAt: Date | null;
  /** Those that have power here. */
  readonly scopes: readonly TokenScope[];
  /** Of an OAuth token alone. */
  readonly authorization?: Authorization;
}

/** What an OAuth access token was issued for. */
export interface Authorization {
  readonly applicationId: string;
  /** The only resource at which the token may be used. */
  readonly audience: Resource;
  /** The integrations that were attached when the person agreed; none for an application that acts for itself. */
  readonly integrationIds: readonly string[];
  /** The application acts for itself, by client credentials (RFC 6749 section 4.4). */
  readonly isOwn: boolean;
}

/** By this node's clock. @param now in epoch milliseconds */
export function isTokenExpired({ tokenExpiresAt }: Actor, now: number): boolean {
  return tokenExpiresAt !== null && tokenExpiresAt.getTime() <= now;
}

/** True for the roles `admin` and `owner`. */
export function isAdmin(actor: Actor): boolean {
  return actor.role !== 'member';
}
