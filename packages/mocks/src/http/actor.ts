import type { MemberRole, TokenScope } from '@gatehouse/contract';
import type { AccessTokenRow } from '../state/rows.ts';

/** Who is calling: one user in one organization, through one token. */
export interface Actor {
  readonly organizationId: string;
  readonly userId: string;
  readonly role: MemberRole;
  readonly tokenId: string;
  readonly tokenKind: 'personal' | 'invitation';
  readonly tokenExpiresAt: string | null;
  readonly scopes: readonly TokenScope[];
  /** Of an application that gets a credential handed out. */
  readonly accessToken?: AccessTokenRow;
}

/** Admin and owner are the privileged roles. */
export function isAdmin(actor: Actor): boolean {
  return actor.role !== 'member';
}
