import { type CreateMemberBody, lifetimes, type UpdateMemberBody } from '@gatehouse/contract';
import type { User } from '../../generated/prisma/client.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Db, Tx } from '../../platform/database/store.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { revokeSessionsOfUser } from '../sessions/revocation.ts';
import { insertToken } from '../tokens/repository.ts';
import { newBearer } from '../tokens/secret.ts';
import { requireMayChange } from './policy.ts';
import {
  countOwners,
  deleteMember,
  emailTaken,
  eraseSecretsOfTokens,
  findMember,
  insertMember,
  lockOrganization,
  updateMember,
} from './repository.ts';

/** @throws ProblemError `forbidden`, `email_taken` */
export async function createMember(
  { db }: Tx,
  actor: Actor,
  body: CreateMemberBody,
): Promise<{ member: User; invitation: string; tokenId: string }> {
  const { organizationId } = actor;
  requireMayChange(actor, { role: 'member' }, body.role);
  await lockOrganization(db, organizationId);
  if (await emailTaken(db, organizationId, body.email)) {
    throw new ProblemError('email_taken', 'The organization already has a member with this email.');
  }
  const member = await insertMember(db, { organizationId, ...body });
  const { secret, hash } = newBearer('invitation');
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

/** @throws ProblemError `not_found`, `forbidden`, `last_owner` */
export async function changeMember(
  tx: Tx,
  actor: Actor,
  id: string,
  { name, role }: UpdateMemberBody,
): Promise<User> {
  const member = await lockMember(tx.db, actor, id);
  requireMayChange(actor, member, role);
  if (member.role === 'owner' && role !== undefined && role !== 'owner') {
    await requireAnotherOwner(tx.db, actor.organizationId);
  }
  const changed = await updateMember(tx.db, id, {
    ...(name === undefined ? {} : { name }),
    ...(role === undefined ? {} : { role }),
  });
  tx.announce({ kind: 'member', id });
  return changed;
}

/** Kills the member's tokens, sessions and connections; applications stay. @throws ProblemError `not_found`, `forbidden`, `last_owner` */
export async function removeMember(tx: Tx, actor: Actor, id: string): Promise<void> {
  const member = await lockMember(tx.db, actor, id);
  requireMayChange(actor, member);
  if (member.role === 'owner') await requireAnotherOwner(tx.db, actor.organizationId);
  await revokeSessionsOfUser(tx, id);
  await eraseSecretsOfTokens(tx.db, id);
  await deleteMember(tx.db, id);
  tx.announce({ kind: 'member', id });
}

async function lockMember(db: Db, { organizationId }: Actor, id: string): Promise<User> {
  await lockOrganization(db, organizationId);
  const member = await findMember(db, organizationId, id);
  if (!member) throw new ProblemError('not_found', 'There is no such member.');
  return member;
}

async function requireAnotherOwner(db: Db, organizationId: string): Promise<void> {
  if ((await countOwners(db, organizationId)) > 1) return;
  throw new ProblemError(
    'last_owner',
    'The last owner of an organization cannot be removed or demoted.',
  );
}
