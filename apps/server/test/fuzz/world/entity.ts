import type { MemberRole, TokenScope } from '@gatehouse/contract';

export type EntityKind =
  | 'integration'
  | 'application'
  | 'member'
  | 'group'
  | 'token'
  | 'session'
  | 'grant'
  | 'event';

/** A row as far as answers told of it. */
export interface Entity {
  readonly kind: EntityKind;
  readonly id: string;
  readonly organization: string;
  /** Never the target of a call that could take the base actors' access. */
  readonly isProtected: boolean;
  readonly etag?: string | undefined;
  readonly isArchived?: boolean | undefined;
  readonly authMode?: string | undefined;
  readonly hasOauth?: boolean | undefined;
  readonly clientType?: string | undefined;
  /** Of an application its owner, of a token its holder, of a grant who gave it. */
  readonly userId?: string | undefined;
  readonly role?: MemberRole | undefined;
  /** Of a session. */
  readonly applicationId?: string | undefined;
}

/** A caller with a bearer. */
export interface Actor {
  readonly bearer: string;
  readonly kind: 'personal' | 'invitation';
  readonly organization: string;
  readonly userId: string;
  readonly role: MemberRole;
  readonly scopes: readonly TokenScope[];
  readonly tokenId?: string | undefined;
  /** Whether the actor is there from the beginning. */
  readonly isBase: boolean;
}

export function isAdmin({ role }: Actor): boolean {
  return role !== 'member';
}
