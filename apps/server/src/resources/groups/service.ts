import { type CreateGroupBody, limits, type UpdateGroupBody } from '@gatehouse/contract';
import type { Group } from '../../generated/prisma/client.ts';
import type { PersonCaller } from '../../identity/caller.ts';
import { type Mutation, record, requireMatch } from '../../identity/mutation.ts';
import type { Db } from '../../platform/database/store.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { changedFields } from '../changed-fields.ts';
import { lockOrganizationRow } from '../organization/repository.ts';
import { listPolicyUses, type PolicyUse } from './policy-uses.ts';
import {
  countGroups,
  deleteGroupRow,
  findGroup,
  findTaken,
  insertGroup,
  lockGroupRow,
  updateGroupRow,
} from './repository.ts';
import { visibleTo } from './rules.ts';

/** @throws ProblemError `not_found`, also for a group that a member is not in */
export async function requireGroup(db: Db, actor: PersonCaller, id: string): Promise<Group> {
  const group = await findGroup(db, visibleTo(actor), id);
  if (group) return group;
  throw new ProblemError('not_found', 'There is no such group.');
}

/**
 * Locks the organization, before the caller is locked. So changes of its groups and members, also by a sign-in
 * that follows a claim, run one after another.
 */
export async function lockGroups(db: Db, { organizationId }: PersonCaller): Promise<void> {
  await lockOrganizationRow(db, organizationId);
}

/** @throws ProblemError `not_found` */
export async function lockGroup({ tx, actor }: Mutation, id: string): Promise<Group> {
  await lockGroupRow(tx.db, actor.organizationId, id);
  return requireGroup(tx.db, actor, id);
}

/** The organization must be locked. @throws ProblemError `group_name_taken`, `group_limit_reached` */
export async function createGroup(
  mutation: Mutation,
  { name, externalId = null }: CreateGroupBody,
): Promise<Group> {
  const { db } = mutation.tx;
  const { organizationId } = mutation.actor;
  if ((await countGroups(db, organizationId)) >= limits.groups) {
    throw new ProblemError(
      'group_limit_reached',
      `An organization can have at most ${limits.groups} groups.`,
    );
  }
  await requireFree(db, organizationId, { name, externalId });
  const group = await insertGroup(db, organizationId, { name, externalId });
  record(mutation, group.id, { action: 'group.created' });
  return group;
}

/** The organization must be locked. @throws ProblemError `not_found`, `precondition_failed`, `group_name_taken` */
export async function updateGroup(
  mutation: Mutation,
  id: string,
  body: UpdateGroupBody,
): Promise<Group> {
  const { tx, actor } = mutation;
  const current = await lockGroup(mutation, id);
  requireMatch(mutation.precondition, current.version);
  const { name, externalId } = current;
  const { name: newName = name, externalId: newExternalId = externalId } = body;
  const change = { name: newName, externalId: newExternalId };
  const changes = changedFields({ name, externalId }, change);
  if (changes.length === 0) return current;
  await requireFree(tx.db, actor.organizationId, change, id);
  const group = await updateGroupRow(tx.db, id, change);
  record(mutation, id, { action: 'group.updated', changes });
  return group;
}

/**
 * Its members are not announced: no rule names the group, so what they may do stays the same. The organization
 * must be locked.
 *
 * @throws ProblemError `not_found`, `precondition_failed`, `group_in_use`
 */
export async function removeGroup(mutation: Mutation, id: string): Promise<void> {
  const { tx, actor } = mutation;
  const current = await lockGroup(mutation, id);
  requireMatch(mutation.precondition, current.version);
  const uses = await listPolicyUses(tx.db, actor.organizationId, id, limits.problemErrors);
  if (uses.length > 0) throw groupInUse(uses);
  await deleteGroupRow(tx.db, id);
  record(mutation, id, { action: 'group.removed', targetName: current.name });
}

/** @throws ProblemError `group_name_taken` */
async function requireFree(
  db: Db,
  organizationId: string,
  names: { readonly name: string; readonly externalId: string | null },
  exceptId?: string,
): Promise<void> {
  const taken = await findTaken(db, organizationId, names, exceptId);
  if (taken === undefined) return;
  const what = taken === 'name' ? 'name' : 'external id';
  throw new ProblemError(
    'group_name_taken',
    `The organization already has a group with this ${what}.`,
    {
      errors: [{ pointer: `/${taken}`, code: 'taken', message: `Another group has this ${what}.` }],
    },
  );
}

function groupInUse(uses: readonly PolicyUse[]): ProblemError {
  return new ProblemError('group_in_use', 'Policies name the group. Remove it from them first.', {
    errors: uses.map(({ integrationId, applicationId }) => {
      const application = applicationId === null ? '' : `/applications/${applicationId}`;
      return {
        code: applicationId === null ? 'integration_policy' : 'attachment_policy',
        message: `The policy at ${application}/integrations/${integrationId}/policy names the group.`,
      };
    }),
  });
}
