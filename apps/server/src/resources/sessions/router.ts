import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { actorOf } from '../../http/context.ts';
import { readFoundPage } from '../../http/cursor.ts';
import { mutate } from '../../http/mutate.ts';
import { isAdmin } from '../../identity/caller.ts';
import { findSessions } from '../../sessions/find-sessions.ts';
import { requireApplication } from '../applications/service.ts';
import type { RouterDeps } from '../router-deps.ts';
import { presentEndedSessions, presentFoundSession, presentSession } from './presenter.ts';
import { endAllSessions, findAllSessions, previewEnd, revokeSessionOf } from './service.ts';

/** Users who can see an application can list and revoke its sessions. */
export function sessionsRouter(deps: RouterDeps) {
  const { store, sessions, cursors } = deps;
  return initServer().router(contract.sessions, {
    list: async ({ params, query, res }) => {
      const actor = actorOf(res);
      const { id: applicationId } = await requireApplication(store.db, actor, params.id);
      const scope = { list: 'sessions', actor, perUser: false, filters: { applicationId } };
      const filter = { organizationId: actor.organizationId, applicationId };
      const { rows, nextCursor } = await readFoundPage(cursors, scope, query, (page) =>
        findSessions(store.db, { filter, ...page }, sessions),
      );
      return { status: 200, body: { items: rows.map(presentSession), nextCursor } };
    },

    revoke: ({ params: { id, sessionId }, req, res }) =>
      mutate(deps, req, res, {
        act: async (mutation) => {
          await revokeSessionOf(mutation, deps, id, sessionId);
          return { status: 204, body: undefined };
        },
      }),

    listAll: async ({ query, res }) => {
      const actor = actorOf(res);
      const { applicationId, integrationId, userId, state, kind } = query;
      const filters = { applicationId, integrationId, userId, state, kind };
      const scope = { list: 'all-sessions', actor, perUser: !isAdmin(actor), filters };
      const { rows, nextCursor } = await readFoundPage(cursors, scope, query, (page) =>
        findAllSessions(store.db, deps, actor, filters, page),
      );
      return { status: 200, body: { items: rows.map(presentFoundSession), nextCursor } };
    },

    end: ({ body: { filter, dryRun }, req, res }) =>
      mutate(deps, req, res, {
        act: async (mutation) => {
          const receipt = dryRun
            ? await previewEnd(mutation.tx.db, deps, mutation.actor, filter)
            : await endAllSessions(mutation, deps, filter);
          return { status: 200, body: presentEndedSessions(receipt) };
        },
      }),
  });
}
