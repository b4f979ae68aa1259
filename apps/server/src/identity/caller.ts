import type { MemberRole, TokenScope } from '@gatehouse/contract';
import type { Change } from '../platform/changes/changes.ts';
import type { ApplicationActor, PersonActor, Via } from './actor.ts';
import type { Resource } from './resource.ts';

/** A scope with power here. Personal tokens never have `credentials`. */
export type PowerfulScope = TokenScope | 'credentials';

/** Who sends a bearer token: an actor, and what the token allows. */
export type Caller = PersonCaller | ApplicationCaller;

export interface PersonCaller extends PersonActor, Allowed {
  readonly role: MemberRole;
  /** The groups that the member is in. */
  readonly groupIds: readonly string[];
  readonly via: Via<'personal_token'> | Via<'invitation'> | Via<'browser_session'> | AgreedGrant;
}

export interface ApplicationCaller extends ApplicationActor, Allowed {
  readonly accessToken: AccessToken;
}

/** A caller with an access token of our authorization server. */
export type OauthCaller = ApplicationCaller | (PersonCaller & { readonly via: AgreedGrant });

/** What a bearer token allows. */
interface Allowed {
  /** Those that have power here. */
  readonly scopes: readonly PowerfulScope[];
  /**
   * When the token expires, or the grant of an OAuth access token. The access token may expire earlier,
   * but its streams last.
   */
  readonly expiresAt: Date | null;
  /** The only resource at which an OAuth access token, or one of the console, may be used. */
  readonly audience?: Resource | undefined;
}

export interface AgreedGrant extends Via<'grant'> {
  /** The integrations that were attached when the person agreed. */
  readonly integrationIds: readonly string[];
  readonly accessToken: AccessToken;
  /** Of a grant of the console, which ends with it. */
  readonly browserSessionId: string | null;
}

/** The row of an OAuth access token. */
export interface AccessToken {
  readonly id: string;
  readonly expiresAt: Date;
}

/** Whether the token is an access token of our authorization server. */
export function isByOauth(caller: Caller): caller is OauthCaller {
  return caller.via.kind === 'grant' || caller.via.kind === 'client_credentials';
}

/** The application that an access token was issued through. */
export function applicationIdOf(caller: OauthCaller): string {
  return caller.kind === 'person' ? caller.via.applicationId : caller.applicationId;
}

/** By this node's clock. @param now in epoch milliseconds */
export function isTokenExpired({ expiresAt }: Caller, now: number): boolean {
  return expiresAt !== null && expiresAt.getTime() <= now;
}

/** True for the roles `admin` and `owner`. */
export function isAdmin(caller: Caller): boolean {
  return caller.kind === 'person' && caller.role !== 'member';
}

/** The member, or the application that acts for itself, as a `sub` names them (RFC 9068 section 2.2). */
export function subjectIdOf(caller: PersonActor | ApplicationActor): string {
  return caller.kind === 'person' ? caller.userId : caller.applicationId;
}

/** The row that a bearer token belongs to: personal token, invitation, browser session, grant, or for client credentials the application. */
export function bearerIdOf(caller: Caller): string {
  return caller.kind === 'person' ? caller.via.id : caller.applicationId;
}

/** A change of these rows may change or end what a caller is allowed. */
export function dependenciesOf(caller: Caller): Change[] {
  const token: Change = { kind: 'token', id: bearerIdOf(caller) };
  if (caller.kind === 'application')
    return [token, { kind: 'application', id: caller.applicationId }];
  const { userId, via } = caller;
  const member: Change = { kind: 'member', id: userId };
  if (via.kind !== 'grant') return [token, member];
  const { applicationId, browserSessionId } = via;
  const rows: Change[] = [token, member, { kind: 'application', id: applicationId }];
  return browserSessionId === null ? rows : [...rows, { kind: 'token', id: browserSessionId }];
}

/** Who acts when this caller does. */
export function actorOfCaller(caller: Caller): PersonActor | ApplicationActor {
  const { organizationId, request } = caller;
  if (caller.kind === 'application') {
    const { kind, applicationId, via } = caller;
    return { kind, organizationId, applicationId, via, request };
  }
  const { kind, userId, via } = caller;
  if (via.kind !== 'grant') return { kind, organizationId, userId, via, request };
  const { id, applicationId } = via;
  return { kind, organizationId, userId, via: { kind: 'grant', id, applicationId }, request };
}
