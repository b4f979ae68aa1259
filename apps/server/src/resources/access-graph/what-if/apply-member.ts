import { policyReferenceMessages, type WhatIfChange } from '@gatehouse/contract';
import type { PersonCaller } from '../../../identity/caller.ts';
import { ProblemError } from '../../../platform/problem-error.ts';
import { requireMembersByHand } from '../../groups/rules.ts';
import { requireMayChange, requireMayGrant } from '../../members/rules.ts';
import type { Draft } from './draft.ts';
import type { NamedRows, Person } from './named-rows.ts';

type MemberChange = Extract<WhatIfChange, { kind: 'member' }>;

/** @throws ProblemError with what the operations on members and groups would refuse */
export function applyMember(
  draft: Draft,
  rows: NamedRows,
  actor: PersonCaller,
  { userId, role, groupIds, removed }: MemberChange,
): void {
  const current = currentOf(draft, rows, userId);
  if (removed === true || role !== undefined) requireMayChange(actor, current);
  requireMayGrant(actor, role);
  const isOwner = removed === undefined && (role ?? current.role) === 'owner';
  if (current.role === 'owner' && !isOwner && countOwners(draft, rows) === 1) {
    throw new ProblemError(
      'last_owner',
      'The last owner of an organization cannot be removed or demoted.',
    );
  }
  if (removed === true) {
    draft.people.set(userId, null);
    return;
  }
  if (groupIds !== undefined) requireGroups(rows, current.groupIds, groupIds);
  const changed: Person = {
    ...current,
    role: role ?? current.role,
    groupIds: groupIds === undefined ? current.groupIds : [...new Set(groupIds)],
  };
  draft.people.set(userId, changed);
}

function currentOf(draft: Draft, rows: NamedRows, userId: string): Person {
  const stored = rows.people.get(userId);
  const drafted = draft.people.get(userId);
  if (stored === undefined || drafted === null) {
    throw new ProblemError('not_found', policyReferenceMessages.user);
  }
  return drafted ?? stored;
}

function countOwners(draft: Draft, { owners, people }: NamedRows): number {
  let count = owners;
  for (const [id, person] of draft.people) {
    if (people.get(id)?.role === 'owner') count -= 1;
    if (person?.role === 'owner') count += 1;
  }
  return count;
}

/** Groups that the identity provider decides about stay as they are. */
function requireGroups(
  { groups }: NamedRows,
  before: readonly string[],
  after: readonly string[],
): void {
  if (after.some((id) => !groups.has(id))) {
    throw new ProblemError('not_found', policyReferenceMessages.group);
  }
  for (const id of after) {
    const group = groups.get(id);
    if (group && !before.includes(id)) requireMembersByHand(group);
  }
  for (const id of before) {
    const group = groups.get(id);
    if (group && !after.includes(id)) requireMembersByHand(group);
  }
}
