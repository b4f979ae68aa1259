import type { Contract } from '@gatehouse/contract';
import { isAdmin } from '../http/actor.ts';
import type { Operations } from '../http/operation.ts';
import { readPage } from '../http/page.ts';
import { Refusal } from '../http/refusal.ts';
import { endGrants, isLive, presentGrant } from '../rules/grants.ts';

export const grants: Operations<Contract['grants']> = {
  list: {
    act({ state, actor: { organizationId, userId }, query }) {
      const own = [...state.grants.values()].filter(
        (grant) => grant.userId === userId && isLive(grant),
      );
      const scope = { list: 'grants', organizationId, userId };
      const { rows, nextCursor } = readPage(state, scope, query, own);
      const items = rows.map((grant) => presentGrant(state, grant));
      return { status: 200, body: { items, nextCursor } };
    },
  },

  end: {
    act({ state, actor, params: { id } }) {
      const grant = state.grants.get(id);
      const mayEnd =
        grant?.organizationId === actor.organizationId &&
        (isAdmin(actor) || grant.userId === actor.userId);
      if (!mayEnd) throw new Refusal('not_found', 'There is no such grant.');
      endGrants(state, (row) => row.id === id);
      return { status: 204, body: undefined };
    },
  },
};
