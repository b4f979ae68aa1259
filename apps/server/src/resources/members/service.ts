import {
  type CreateMemberBody,
  lifetimes,
  limits,
  type RevokedAccess,
  type UpdateMemberBody,
} from '@gatehouse/contract';
import { disconnectMember } from '../../credentials/disconnect.ts';
import type { User } from '../../generated/prisma/client.ts';
import { deleteBrowserSessionsOf } from '../../identity/browser-sessions.ts';
import type { PersonCaller } from '../../identity/caller.ts';
import {
  forgetFormerMember,
  rememberFormerMember,
} from '../../identity/external/former-members.ts';
import { endAccessOfMember } from '../../identity/grants/end-access.ts';
import { type Mutation, record } from '../../identity/mutation.ts';
import { createSignInLink, deleteSignInLinks } from '../../identity/sign-in-links.ts';
import { createTokenSecret, insertToken } from '../../identity/tokens.ts';
import type { Db } from '../../platform/database/store.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { revokeAndCount, revokeSessionsOfUser } from '../../sessions/revocation.ts';
import type { SessionAdmin } from '../../sessions/shown-session.ts';
import { changedFields } from '../changed-fields.ts';
import { lockOrganizationRow } from '../organization/repository.ts';
import {
  eraseResponsesWithSecretOf,
  eraseResponsesWithSecretsOfUser,
} from '../stored-response-repository.ts';
import {
  countOwners,
  deleteInvitations,
  deleteMember,
  deleteTokens,
  findMember,
  insertMember,
  isEmailUsed,
  listApplicationsWithSecret,
  listGroupsOfMember,
  lockMemberRow,
  type NamedRow,
  updateMemberRow,
} from './repository.ts';
import { isPromotion, requireMayChange, requireMayGrant, requireMayRevokeAccess } from './rules.ts';

/** @throws ProblemError `not_found` */
export async function requireMember(
  db: Db,
  { organizationId }: PersonCaller,
  id: string,
): Promise<User> {
  const member = await findMember(db, organizationId, id);
  if (member) return member;
  throw new ProblemError('not_found', 'There is no such member.');
}

/**
 * Locks the organization: changes of its members run one after another. Comes before the lock on the
 * caller, or two admins who change each other would wait for each other.
 */
export async function lockMembers(db: Db, { organizationId }: PersonCaller): Promise<void> {
  await lockOrganizationRow(db, organizationId);
}

/** Locks the member, and so waits for this member's own writes that are under way. @throws ProblemError `not_found` */
export async function lockMember({ tx, actor }: Mutation, id: string): Promise<User> {
  await lockMemberRow(tx.db, actor.organizationId, id);
  return requireMember(tx.db, actor, id);
}

/** @throws ProblemError `not_found`, `forbidden` */
export async function requireUpdatable(
  db: Db,
  actor: PersonCaller,
  id: string,
  { role }: UpdateMemberBody,
): Promise<void> {
  requireMayChange(actor, await requireMember(db, actor, id));
  requireMayGrant(actor, role);
}

/** The organization must be locked. @throws ProblemError `forbidden`, `email_taken` */
export async function createMember(
  mutation: Mutation,
  body: CreateMemberBody,
): Promise<{ member: User; invitation: string; linkSecret: string; tokenId: string }> {
  const { tx, actor } = mutation;
  const { db } = tx;
  const { organizationId } = actor;
  requireMayGrant(actor, body.role);
  if (await isEmailUsed(db, organizationId, body.email)) {
    throw new ProblemError('email_taken', 'The organization already has a member with this email.');
  }
  const member = await insertMember(db, { organizationId, ...body });
  await forgetFormerMember(db, member);
  const { secret, hash } = createTokenSecret('invitation');
  const token = await insertToken(db, {
    organizationId,
    userId: member.id,
    kind: 'invitation',
    name: 'Invitation',
    hash,
    scopes: [],
    expiresAt: new Date(Date.now() + lifetimes.invitation),
  });
  const purpose = 'invitation';
  const link = await createSignInLink(tx, { organizationId, userId: member.id, purpose });
  record(mutation, member.id, { action: 'member.created', role: member.role });
  return { member, invitation: secret, linkSecret: link.secret, tokenId: token.id };
}

/**
 * A promotion ends the member's invitation and sign-in link: anyone who made or saw one was trusted
 * with less. The organization must be locked.
 *
 * @throws ProblemError `not_found`, `forbidden`, `last_owner`
 */
export async function updateMember(
  mutation: Mutation,
  id: string,
  { name, role }: UpdateMemberBody,
): Promise<User> {
  const { tx, actor } = mutation;
  const current = await lockMember(mutation, id);
  requireMayChange(actor, current);
  requireMayGrant(actor, role);
  if (current.role === 'owner' && role !== undefined && role !== 'owner') {
    await requireAnotherOwner(tx.db, actor.organizationId);
  }
  const change = { name: name ?? current.name, role: role ?? current.role };
  if (change.name === current.name && change.role === current.role) return current;
  if (isPromotion(current.role, change.role)) await endInvitations(mutation, id);
  const { name: previousName, role: previousRole } = current;
  const member = await updateMemberRow(tx.db, id, change);
  tx.announce({ kind: 'member', id });
  const changes = changedFields({ name: previousName, role: previousRole }, change);
  record(mutation, id, { action: 'member.updated', changes });
  return member;
}

async function endInvitations({ tx }: Mutation, userId: string): Promise<void> {
  await eraseResponsesWithSecretOf(tx.db, userId);
  for (const id of await deleteInvitations(tx.db, userId)) {
    await eraseResponsesWithSecretOf(tx.db, id);
    tx.announce({ kind: 'token', id });
  }
  await deleteSignInLinks(tx.db, userId);
}

/** @throws ProblemError `not_found`, `forbidden` */
export async function requireChangeable(db: Db, actor: PersonCaller, id: string): Promise<void> {
  requireMayChange(actor, await requireMember(db, actor, id));
}

/**
 * Makes a link for a member, by default one that fits whether they have a password. It replaces the last
 * one of its purpose, also in what a repeated request would get. The organization must be locked.
 *
 * @throws ProblemError `not_found`, `forbidden`
 */
export async function createMemberLink(
  mutation: Mutation,
  id: string,
  purpose: 'invitation' | 'reset' | undefined,
): Promise<{ secret: string; expiresAt: Date }> {
  const { tx, actor } = mutation;
  const member = await lockMember(mutation, id);
  requireMayChange(actor, member);
  await eraseResponsesWithSecretOf(tx.db, id);
  const fitting = member.passwordHash === null ? 'invitation' : 'reset';
  const { organizationId } = actor;
  const link = { organizationId, userId: id, purpose: purpose ?? fitting };
  record(mutation, id, { action: 'member.sign_in_link_created', purpose: link.purpose });
  return createSignInLink(tx, link);
}

/** @throws ProblemError `not_found`, `forbidden` */
export async function requireRevocable(db: Db, actor: PersonCaller, id: string): Promise<void> {
  requireMayRevokeAccess(actor, id);
  await requireChangeable(db, actor, id);
}

/**
 * Ends all access of a member, who stays a member: all tokens, grants and browser sessions, including the
 * token of this request. The password stays. The organization must be locked.
 *
 * @throws ProblemError `not_found`, `forbidden`
 */
export async function revokeAccess(
  mutation: Mutation,
  { sessions }: { readonly sessions: SessionAdmin },
  id: string,
): Promise<RevokedAccess> {
  const { tx, actor } = mutation;
  requireMayRevokeAccess(actor, id);
  requireMayChange(actor, await lockMember(mutation, id));
  await eraseResponsesWithSecretsOfUser(tx.db, id);
  const personal = await deleteTokens(tx.db, id);
  await deleteBrowserSessionsOf(tx, id);
  await deleteSignInLinks(tx.db, id);
  const { tokens, ...ended } = await endAccessOfMember(tx.db, id);
  const revoked = await revokeAndCount(tx, { kind: 'member', id }, sessions);
  record(mutation, id, { action: 'member.access_revoked' });
  return { tokens: tokens + personal, ...ended, ...revoked };
}

/** What an admin may want to look after when a member is gone. */
export interface MemberRemains {
  readonly applications: readonly NamedRow[];
  readonly groups: readonly NamedRow[];
}

/**
 * Ends the member's tokens, grants, sessions, connections and places in groups. The applications stay. The
 * organization must be locked.
 *
 * @returns the applications with a secret that the member may know, and the groups that they were in, as
 * many of each as fit in a response
 * @throws ProblemError `not_found`, `forbidden`, `last_owner`
 */
export async function removeMember(mutation: Mutation, id: string): Promise<MemberRemains> {
  const { tx, actor } = mutation;
  const current = await lockMember(mutation, id);
  requireMayChange(actor, current);
  if (current.role === 'owner') await requireAnotherOwner(tx.db, actor.organizationId);
  await revokeSessionsOfUser(tx, id);
  await eraseResponsesWithSecretsOfUser(tx.db, id);
  await disconnectMember(tx, id);
  const groups = await listGroupsOfMember(tx.db, id, limits.pageMax);
  await deleteMember(tx.db, id);
  await rememberFormerMember(tx.db, current);
  record(mutation, id, { action: 'member.removed', targetName: current.name });
  return { applications: await listApplicationsWithSecret(tx.db, id, limits.pageMax), groups };
}

/** The organization must be locked. */
async function requireAnotherOwner(db: Db, organizationId: string): Promise<void> {
  if ((await countOwners(db, organizationId)) > 1) return;
  throw new ProblemError(
    'last_owner',
    'The last owner of an organization cannot be removed or demoted.',
  );
}
