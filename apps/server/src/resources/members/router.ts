import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { actorOf } from '../../http/context.ts';
import { readPage } from '../../http/cursor.ts';
import { checkFixedFields } from '../../http/fixed-fields.ts';
import { type CallerScope, locationOf, mutate } from '../../http/mutate.ts';
import { signInLinkUrl } from '../../identity/sign-in-links.ts';
import type { RouterDeps } from '../router-deps.ts';
import { presentAccess } from './access-presenter.ts';
import { readAccess } from './access-service.ts';
import {
  presentMember,
  presentMemberWithInvitation,
  presentRemoval,
  presentSignInLink,
} from './presenter.ts';
import { listMembers, listMembersOfGroup } from './repository.ts';
import { requireMayGrant } from './rules.ts';
import {
  createMember,
  createMemberLink,
  lockMembers,
  removeMember,
  requireChangeable,
  requireRevocable,
  requireUpdatable,
  revokeAccess,
  updateMember,
} from './service.ts';

export function membersRouter(deps: RouterDeps) {
  const { store, cursors, publicUrl } = deps;
  const lock = ({ db, actor }: CallerScope) => lockMembers(db, actor);
  return initServer().router(contract.members, {
    create: ({ body, req, res }) =>
      mutate(deps, req, res, {
        lock,
        authorize: ({ actor }) => requireMayGrant(actor, body.role),
        act: async (mutation) => {
          const made = await createMember(mutation, body);
          const { member, invitation: token, linkSecret, tokenId } = made;
          const url = signInLinkUrl(publicUrl, linkSecret);
          return {
            status: 201,
            body: presentMemberWithInvitation(member, { token, url }),
            location: locationOf(publicUrl, `/members/${member.id}`),
            secretOf: tokenId,
          };
        },
      }),

    list: async ({ query, res }) => {
      const actor = actorOf(res);
      const { organizationId } = actor;
      const { groupId } = query;
      const scope = { list: 'members', actor, perUser: false, filters: { groupId } };
      const { rows, nextCursor } = await readPage(cursors, scope, query, (page) =>
        groupId === undefined
          ? listMembers(store.db, organizationId, page)
          : listMembersOfGroup(store.db, { organizationId, groupId }, page),
      );
      return { status: 200, body: { items: rows.map(presentMember), nextCursor } };
    },

    update: ({ params: { id }, body, req, res }) =>
      mutate(deps, req, res, {
        lock,
        authorize: ({ db, actor }) => requireUpdatable(db, actor, id, body),
        act: async (mutation) => {
          const member = await updateMember(mutation, id, body);
          const shown = presentMember(member);
          checkFixedFields(contract.members.update.body, req.body, shown);
          return { status: 200, body: { member: shown } };
        },
      }),

    remove: ({ params: { id }, req, res }) =>
      mutate(deps, req, res, {
        lock,
        act: async (mutation) => {
          return { status: 200, body: presentRemoval(await removeMember(mutation, id)) };
        },
      }),

    revokeAccess: ({ params: { id }, req, res }) =>
      mutate(deps, req, res, {
        lock,
        authorize: ({ db, actor }) => requireRevocable(db, actor, id),
        act: async (mutation) => {
          const revoked = await revokeAccess(mutation, deps, id);
          return { status: 200, body: { revoked } };
        },
      }),

    createSignInLink: ({ params: { id }, body, req, res }) =>
      mutate(deps, req, res, {
        lock,
        authorize: ({ db, actor }) => requireChangeable(db, actor, id),
        act: async (mutation) => {
          const { secret, expiresAt } = await createMemberLink(mutation, id, body?.purpose);
          const url = signInLinkUrl(publicUrl, secret);
          return { status: 201, body: presentSignInLink(url, expiresAt), secretOf: id };
        },
      }),

    getAccess: async ({ params: { id }, res }) => {
      const access = await readAccess(store.db, deps, actorOf(res), id);
      return { status: 200, body: { access: presentAccess(access) } };
    },
  });
}
