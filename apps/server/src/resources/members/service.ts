import { type CreateMemberBody, lifetimes, type UpdateMemberBody } from '@gatehouse/contract';
import type { User } from '../../generated/prisma/client.ts';
import type { Actor } from '../../identity/actor.ts';
import type { Mutation } from '../../identity/mutation.ts';
import { deleteSignInLinks } from '../../identity/sign-in-links.ts';
import { createTokenSecret } from '../../identity/token-secret.ts';
import { insertToken } from '../../identity/tokens.ts';
import type { Db } from '../../platform/database/store.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { revokeSessionsOfUser } from '../../sessions/revocation.ts';
import {
  eraseResponsesWithSecretOf,
  eraseResponsesWithSecretsOfUser,
} from '../stored-response-repository.ts';
import { isPromotion, requireMayChange, requireMayGrant } from './policy.ts';
import {
  countOwners,
  deleteInvitations,
  deleteMember,
  findMember,
  insertMember,
  isEmailUsed,
  lockMemberRow,
  lockOrganizationRow,
  updateMemberRow,
} from './repository.ts';

/** @throws ProblemError `not_found` */
async function requireMember(db: Db, { organizationId }: Actor, id: string): Promise<User> {
  const member = await findMember(db, organizationId, id);
  if (member) return member;
  throw new ProblemError('not_found', 'There is no such member.');
}

/**
 * Locks the organization: changes of its members run one after another. Comes before the lock on the
 * caller, or two admins who change each other would wait for each other.
 */
export async function lockMembers(db: Db, { organizationId }: Actor): Promise<void> {
  await lockOrganizationRow(db, organizationId);
}

/** Locks the member, and so waits for this member's own writes that are under way. @throws ProblemError `not_found` */
async function lockMember({ tx, actor }: Mutation, id: string): Promise<User> {
  await lockMemberRow(tx.db, actor.organizationId, id);
  return requireMember(tx.db, actor, id);
}

/** @throws ProblemError `not_found`, `forbidden` */
export async function requireUpdatable(
  db: Db,
  actor: Actor,
  id: string,
  { role }: UpdateMemberBody,
): Promise<void> {
  requireMayChange(actor, await requireMember(db, actor, id));
  requireMayGrant(actor, role);
}

/** The organization must be locked. @throws ProblemError `forbidden`, `email_taken` */
export async function createMember(
  { tx: { db }, actor }: Mutation,
  body: CreateMemberBody,
): Promise<{ member: User; invitation: string; tokenId: string }> {
  const { organizationId } = actor;
  requireMayGrant(actor, body.role);
  if (await isEmailUsed(db, organizationId, body.email)) {
    throw new ProblemError('email_taken', 'The organization already has a member with this email.');
  }
  const member = await insertMember(db, { organizationId, ...body });
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
  return { member, invitation: secret, tokenId: token.id };
}

/**
 * A promotion ends an invitation and a sign-in link that are out: whoever made one, or has seen it, was
 * trusted with less.
 * The organization must be locked.
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
  return writeMember(mutation, id, change);
}

async function endInvitations({ tx }: Mutation, userId: string): Promise<void> {
  for (const id of await deleteInvitations(tx.db, userId)) {
    await eraseResponsesWithSecretOf(tx.db, id);
    tx.announce({ kind: 'token', id });
  }
  await deleteSignInLinks(tx.db, userId);
}

/** Writes a change of the member, and announces it. The organization must be locked. */
async function writeMember(
  { tx }: Mutation,
  id: string,
  change: Pick<User, 'name' | 'role'>,
): Promise<User> {
  const member = await updateMemberRow(tx.db, id, change);
  tx.announce({ kind: 'member', id });
  return member;
}

/**
 * Ends the member's tokens, sessions and connections. The applications stay. The organization must be
 * locked.
 *
 * @throws ProblemError `not_found`, `forbidden`, `last_owner`
 */
export async function removeMember(mutation: Mutation, id: string): Promise<void> {
  const { tx, actor } = mutation;
  const current = await lockMember(mutation, id);
  requireMayChange(actor, current);
  if (current.role === 'owner') await requireAnotherOwner(tx.db, actor.organizationId);
  await revokeSessionsOfUser(tx, id);
  await eraseResponsesWithSecretsOfUser(tx.db, id);
  await deleteMember(tx.db, id);
}

/** The organization must be locked. */
async function requireAnotherOwner(db: Db, organizationId: string): Promise<void> {
  if ((await countOwners(db, organizationId)) > 1) return;
  throw new ProblemError(
    'last_owner',
    'The last owner of an organization cannot be removed or demoted.',
  );
}
