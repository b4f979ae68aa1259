import { type Contract, contract, type Group, limits } from '@gatehouse/contract';
import { type Actor, isAdmin } from '../http/actor.ts';
import type { Operations } from '../http/operation.ts';
import { readPage } from '../http/page.ts';
import { Refusal } from '../http/refusal.ts';
import { namesOfGroup, requireUnnamed } from '../rules/policies.ts';
import type { GroupRow } from '../state/rows.ts';
import type { State } from '../state/state.ts';
import { membersOfGroup, presentMember, requireMember } from './members.ts';

export const groups: Operations<Contract['groups']> = {
  create: {
    act({ state, actor: { organizationId }, body: { name, externalId = null } }) {
      const all = groupsOf(state, organizationId);
      if (all.length >= limits.groups) {
        const detail = `An organization can have at most ${limits.groups} groups.`;
        throw new Refusal('group_limit_reached', detail);
      }
      requireFree(all, { name, externalId });
      const { id, createdAt } = state.createId();
      const dates = { createdAt, updatedAt: createdAt };
      const row = { id, organizationId, name, externalId, memberIds: [], version: 1, ...dates };
      state.groups.set(id, row);
      const body = { group: presentGroup(row) };
      return { status: 201, body, version: row.version, location: `/groups/${id}` };
    },
  },

  list: {
    act({ state, actor, query }) {
      const { organizationId, userId } = actor;
      const list = { list: 'groups', organizationId };
      const scope = isAdmin(actor) ? list : { ...list, userId };
      const found = groupsOf(state, organizationId).filter((row) => isVisible(actor, row));
      const { rows, nextCursor } = readPage(state, scope, query, found);
      return { status: 200, body: { items: rows.map(presentGroup), nextCursor } };
    },
  },

  get: {
    act: ({ state, actor, params }) => present(requireGroup(state, actor, params.id)),
  },

  update: {
    authorize: ({ state, actor, params }) => requireGroup(state, actor, params.id),
    act({ state, actor, params, body, requireMatch, requireFixed }) {
      const current = requireGroup(state, actor, params.id);
      requireMatch(current.version);
      requireFixed(contract.groups.update.body, presentGroup(current));
      const { name = current.name, externalId = current.externalId } = body;
      if (name === current.name && externalId === current.externalId) return present(current);
      const others = groupsOf(state, actor.organizationId).filter(({ id }) => id !== current.id);
      requireFree(others, { name, externalId });
      const version = current.version + 1;
      const updatedAt = new Date().toISOString();
      return present(saveGroup(state, { ...current, name, externalId, version, updatedAt }));
    },
  },

  delete: {
    act({ state, actor, params, requireMatch }) {
      const { id, version } = requireGroup(state, actor, params.id);
      requireMatch(version);
      requireUnnamed(state, id);
      state.groups.delete(id);
      return { status: 204, body: undefined };
    },
  },

  listMembers: {
    act({ state, actor, params, query }) {
      const { id: groupId } = requireGroup(state, actor, params.id);
      const { organizationId } = actor;
      const scope = { list: 'group members', organizationId, filters: { groupId } };
      const found = membersOfGroup(state, organizationId, groupId);
      const { rows, nextCursor } = readPage(state, scope, query, found);
      return { status: 200, body: { items: rows.map(presentMember), nextCursor } };
    },
  },

  listPolicies: {
    act({ state, actor, params }) {
      const found = namesOfGroup(state, requireGroup(state, actor, params.id).id);
      const most = limits.groupPolicies;
      const body = { policies: found.slice(0, most), truncated: found.length > most };
      return { status: 200, body };
    },
  },

  addMember: {
    act({ state, actor, params }) {
      const group = requireGroupByHand(state, actor, params.id);
      const { id } = requireMember(state, actor, params.memberId);
      const others = group.memberIds.filter((memberId) => memberId !== id);
      if (others.length >= limits.groupMembers) {
        const detail = `A group can have at most ${limits.groupMembers} members.`;
        throw new Refusal('group_limit_reached', detail);
      }
      saveGroup(state, { ...group, memberIds: [...others, id] });
      return { status: 204, body: undefined };
    },
  },

  removeMember: {
    act({ state, actor, params }) {
      const group = requireGroupByHand(state, actor, params.id);
      const { id } = requireMember(state, actor, params.memberId);
      const memberIds = group.memberIds.filter((memberId) => memberId !== id);
      saveGroup(state, { ...group, memberIds });
      return { status: 204, body: undefined };
    },
  },
};

function presentGroup({ id, name, externalId, createdAt, updatedAt }: GroupRow): Group {
  return { id, name, externalId, createdAt, updatedAt };
}

function present(row: GroupRow) {
  return { status: 200 as const, body: { group: presentGroup(row) }, version: row.version };
}

function saveGroup(state: State, row: GroupRow): GroupRow {
  state.groups.set(row.id, row);
  return row;
}

function groupsOf({ groups: all }: State, organizationId: string): GroupRow[] {
  return [...all.values()].filter((group) => group.organizationId === organizationId);
}

/** Members see the groups they are in, admins and owners all. */
function isVisible(actor: Actor, { memberIds }: GroupRow): boolean {
  return isAdmin(actor) || memberIds.includes(actor.userId);
}

function requireGroup(state: State, actor: Actor, id: string): GroupRow {
  const group = state.groups.get(id);
  if (group?.organizationId === actor.organizationId && isVisible(actor, group)) return group;
  throw new Refusal('not_found', 'There is no such group.');
}

/** A group that does not follow a claim. */
function requireGroupByHand(state: State, actor: Actor, id: string): GroupRow {
  const group = requireGroup(state, actor, id);
  if (group.externalId === null) return group;
  throw new Refusal(
    'managed_by_provider',
    'Who is in this group follows the identity provider at each sign-in. Change it there, or set externalId to null.',
  );
}

/** Names are compared without regard to case, external ids exactly. */
function requireFree(
  others: readonly GroupRow[],
  { name, externalId }: Pick<GroupRow, 'name' | 'externalId'>,
): void {
  const isNameTaken = others.some((group) => group.name.toLowerCase() === name.toLowerCase());
  const isIdTaken = externalId !== null && others.some((group) => group.externalId === externalId);
  if (!isNameTaken && !isIdTaken) return;
  const what = isNameTaken ? 'name' : 'external id';
  throw new Refusal('group_name_taken', `The organization already has a group with this ${what}.`, {
    errors: [
      {
        pointer: isNameTaken ? '/name' : '/externalId',
        code: 'taken',
        message: `Another group has this ${what}.`,
      },
    ],
  });
}
