import type { Contract } from '@gatehouse/contract';
import { isAdmin } from '../http/actor.ts';
import type { Operations } from '../http/operation.ts';
import { readPage } from '../http/page.ts';
import { Refusal } from '../http/refusal.ts';
import { endSessions, findSessions } from '../rules/all-sessions.ts';
import { requireApplication } from '../rules/applications.ts';
import { revokeLease } from '../rules/leases.ts';
import { presentLease, presentSession, revokeSessions } from '../rules/sessions.ts';

/** Everyone who may see an application may see and revoke its sessions. */
export const sessions: Operations<Contract['sessions']> = {
  list: {
    act(call) {
      const { state, actor, params, query } = call;
      const { id: applicationId } = requireApplication(call, params.id);
      const found = [...state.sessions.values(), ...state.leases.values()].filter(
        (row) => row.applicationId === applicationId,
      );
      const { organizationId } = actor;
      const scope = { list: 'sessions', organizationId, filters: { applicationId } };
      const { rows, nextCursor } = readPage(state, scope, query, found);
      const items = rows.map((row) =>
        'refusedUntil' in row ? presentLease(row) : presentSession(row),
      );
      return { status: 200, body: { items, nextCursor } };
    },
  },

  revoke: {
    act(call) {
      const { state, params } = call;
      const { id: applicationId } = requireApplication(call, params.id);
      const isFound =
        revokeLease(state, applicationId, params.sessionId) ||
        revokeSessions(
          state,
          (session) => session.id === params.sessionId && session.applicationId === applicationId,
        );
      if (!isFound) throw new Refusal('not_found', 'The application has no such session.');
      return { status: 204, body: undefined };
    },
  },

  listAll: {
    act({ state, actor, query }) {
      const { applicationId, integrationId, userId, state: wantedState, kind } = query;
      const filters = { applicationId, integrationId, userId, state: wantedState, kind };
      const { organizationId } = actor;
      const own = isAdmin(actor) ? {} : { userId: actor.userId };
      const scope = { list: 'all-sessions', organizationId, ...own, filters };
      const { rows, nextCursor } = readPage(
        state,
        scope,
        query,
        findSessions(state, actor, filters),
      );
      return { status: 200, body: { items: rows, nextCursor } };
    },
  },

  end: {
    act: ({ state, actor, body: { filter, dryRun } }) => ({
      status: 200,
      body: endSessions(state, actor, { filter, dryRun: dryRun === true }),
    }),
  },
};
