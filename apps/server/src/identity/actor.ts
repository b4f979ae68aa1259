import type { MemberRole, TokenScope } from '@gatehouse/contract';

/** The authenticated caller: one user of one organization, by one token. */
export interface Actor {
  readonly organizationId: string;
  readonly userId: string;
  readonly role: MemberRole;
  readonly tokenId: string;
  readonly tokenKind: 'personal' | 'invitation';
  readonly tokenExpiresAt: Date | null;
  readonly scopes: readonly TokenScope[];
}

/** By this node's clock. @param now in epoch milliseconds */
export function isTokenExpired({ tokenExpiresAt }: Actor, now: number): boolean {
  return tokenExpiresAt !== null && tokenExpiresAt.getTime() <= now;
}

/** True for the roles `admin` and `owner`. */
export function isAdmin(actor: Actor): boolean {
  return actor.role !== 'member';
}
