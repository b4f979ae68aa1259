import { limits } from '@gatehouse/contract';
import { type Mutation, record } from '../../identity/mutation.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { lockMember } from '../members/service.ts';
import { countGroupMembers, deleteMembership, insertMembership } from './repository.ts';
import { requireMembersByHand } from './rules.ts';
import { lockGroup } from './service.ts';

/**
 * Adds a member, who may then do what rules allow the group. The organization must be locked.
 *
 * @throws ProblemError `not_found`, `managed_by_provider`, `group_limit_reached`
 */
export async function addGroupMember(
  mutation: Mutation,
  groupId: string,
  userId: string,
): Promise<void> {
  const { tx } = mutation;
  requireMembersByHand(await lockGroup(mutation, groupId));
  await lockMember(mutation, userId);
  if (!(await insertMembership(tx.db, { groupId, userId }))) return;
  if ((await countGroupMembers(tx.db, groupId)) > limits.groupMembers) {
    throw new ProblemError(
      'group_limit_reached',
      `A group can have at most ${limits.groupMembers} members.`,
    );
  }
  tx.announce({ kind: 'member', id: userId });
  record(mutation, groupId, { action: 'group.member_added', userId });
}

/**
 * Removes a member. What rules allowed them only as a member of the group ends on every node. The organization must
 * be locked.
 *
 * @throws ProblemError `not_found`, `managed_by_provider`
 */
export async function removeGroupMember(
  mutation: Mutation,
  groupId: string,
  userId: string,
): Promise<void> {
  const { tx } = mutation;
  requireMembersByHand(await lockGroup(mutation, groupId));
  await lockMember(mutation, userId);
  if (!(await deleteMembership(tx.db, { groupId, userId }))) return;
  tx.announce({ kind: 'member', id: userId });
  record(mutation, groupId, { action: 'group.member_removed', userId });
}
