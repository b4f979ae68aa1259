import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { actorOf } from '../../http/context.ts';
import { locationOf } from '../../http/location.ts';
import { mutate } from '../../http/mutate.ts';
import { readPage } from '../../http/page.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import type { Deps } from '../deps.ts';
import { presentMember } from './presenter.ts';
import { findMember, listMembers } from './repository.ts';
import { changeMember, createMember, removeMember } from './service.ts';

export function membersRouter(deps: Deps) {
  return initServer().router(contract.members, {
    create: ({ body, req, res }) =>
      mutate(deps, req, res, {
        act: async (tx) => {
          const { member, invitation, tokenId } = await createMember(tx, actorOf(res), body);
          return {
            status: 201,
            body: { member: presentMember(member), invitation },
            location: locationOf(deps.publicUrl, `/members/${member.id}`),
            secretOf: tokenId,
          };
        },
      }),

    list: async ({ query, res }) => {
      const actor = actorOf(res);
      const scope = { list: 'members', actor, perUser: false, filters: {} };
      const { rows, nextCursor } = await readPage(deps.cursors, scope, query, (page) =>
        listMembers(deps.store.db, actor.organizationId, page),
      );
      return { status: 200, body: { items: rows.map(presentMember), nextCursor } };
    },

    update: ({ params, body, req, res }) => {
      const actor = actorOf(res);
      return mutate(deps, req, res, {
        exists: async (db) => {
          if (await findMember(db, actor.organizationId, params.id)) return;
          throw new ProblemError('not_found', 'There is no such member.');
        },
        act: async (tx) => {
          const member = await changeMember(tx, actor, params.id, body);
          return { status: 200, body: { member: presentMember(member) } };
        },
      });
    },

    remove: ({ params, req, res }) =>
      mutate(deps, req, res, {
        act: async (tx) => {
          await removeMember(tx, actorOf(res), params.id);
          return { status: 204, body: undefined };
        },
      }),
  });
}
