import { contract, type Group as GroupBody, limits } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import type { Group } from '../../generated/prisma/client.ts';
import { actorOf } from '../../http/context.ts';
import { readPage } from '../../http/cursor.ts';
import { checkFixedFields } from '../../http/fixed-fields.ts';
import { type CallerScope, locationOf, mutate, setEtag } from '../../http/mutate.ts';
import { isAdmin } from '../../identity/caller.ts';
import { presentMember } from '../members/presenter.ts';
import { listMembersOfGroup } from '../members/repository.ts';
import type { RouterDeps } from '../router-deps.ts';
import { addGroupMember, removeGroupMember } from './membership-service.ts';
import { listPolicyUses } from './policy-uses.ts';
import { listGroups } from './repository.ts';
import { visibleTo } from './rules.ts';
import { createGroup, lockGroups, removeGroup, requireGroup, updateGroup } from './service.ts';

export function groupsRouter(deps: RouterDeps) {
  const { store, cursors, publicUrl } = deps;
  const lock = ({ db, actor }: CallerScope) => lockGroups(db, actor);
  return initServer().router(contract.groups, {
    create: ({ body, req, res }) =>
      mutate(deps, req, res, {
        lock,
        act: async (mutation) => {
          const group = await createGroup(mutation, body);
          return {
            status: 201,
            body: { group: presentGroup(group) },
            version: group.version,
            location: locationOf(publicUrl, `/groups/${group.id}`),
          };
        },
      }),

    list: async ({ query, res }) => {
      const actor = actorOf(res);
      const scope = { list: 'groups', actor, perUser: !isAdmin(actor), filters: {} };
      const { rows, nextCursor } = await readPage(cursors, scope, query, (page) =>
        listGroups(store.db, visibleTo(actor), page),
      );
      return { status: 200, body: { items: rows.map(presentGroup), nextCursor } };
    },

    get: async ({ params: { id }, res }) => {
      const group = await requireGroup(store.db, actorOf(res), id);
      setEtag(res, group.version);
      return { status: 200, body: { group: presentGroup(group) } };
    },

    update: ({ params: { id }, body, req, res }) =>
      mutate(deps, req, res, {
        lock,
        authorize: ({ db, actor }) => requireGroup(db, actor, id),
        act: async (mutation) => {
          const group = await updateGroup(mutation, id, body);
          const shown = presentGroup(group);
          checkFixedFields(contract.groups.update.body, req.body, shown);
          return { status: 200, body: { group: shown }, version: group.version };
        },
      }),

    delete: ({ params: { id }, req, res }) =>
      mutate(deps, req, res, {
        lock,
        act: async (mutation) => {
          await removeGroup(mutation, id);
          return { status: 204, body: undefined };
        },
      }),

    listMembers: async ({ params: { id }, query, res }) => {
      const actor = actorOf(res);
      await requireGroup(store.db, actor, id);
      const scope = { list: 'group members', actor, perUser: false, filters: { groupId: id } };
      const { rows, nextCursor } = await readPage(cursors, scope, query, (page) =>
        listMembersOfGroup(store.db, { organizationId: actor.organizationId, groupId: id }, page),
      );
      return { status: 200, body: { items: rows.map(presentMember), nextCursor } };
    },

    listPolicies: async ({ params: { id }, res }) => {
      const actor = actorOf(res);
      await requireGroup(store.db, actor, id);
      const most = limits.groupPolicies;
      const found = await listPolicyUses(store.db, actor.organizationId, id, most + 1);
      const body = { policies: found.slice(0, most), truncated: found.length > most };
      return { status: 200, body };
    },

    addMember: ({ params: { id, memberId }, req, res }) =>
      mutate(deps, req, res, {
        lock,
        act: async (mutation) => {
          await addGroupMember(mutation, id, memberId);
          return { status: 204, body: undefined };
        },
      }),

    removeMember: ({ params: { id, memberId }, req, res }) =>
      mutate(deps, req, res, {
        lock,
        act: async (mutation) => {
          await removeGroupMember(mutation, id, memberId);
          return { status: 204, body: undefined };
        },
      }),
  });
}

function presentGroup({ id, name, externalId, createdAt, updatedAt }: Group): GroupBody {
  return {
    id,
    name,
    externalId,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
