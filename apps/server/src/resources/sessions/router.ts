import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { actorOf } from '../../http/context.ts';
import { mutate } from '../../http/mutate.ts';
import { readPage } from '../../http/page.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { getApplication } from '../applications/service.ts';
import type { Deps } from '../deps.ts';
import { presentSession } from './presenter.ts';

/** Sessions are seen and revoked by whoever sees their application. */
export function sessionsRouter(deps: Deps) {
  const { store, sessions, cursors } = deps;
  return initServer().router(contract.sessions, {
    list: async ({ params, query, res }) => {
      const actor = actorOf(res);
      const { id: applicationId } = await getApplication(store.db, actor, params.id);
      const scope = { list: 'sessions', actor, perUser: false, filters: { applicationId } };
      const { rows, nextCursor } = await readPage(cursors, scope, query, async (page) => [
        ...(await sessions.list(store.db, { applicationId, ...page })),
      ]);
      return { status: 200, body: { items: rows.map(presentSession), nextCursor } };
    },

    revoke: ({ params, req, res }) =>
      mutate(deps, req, res, {
        act: async (tx) => {
          const { id: applicationId } = await getApplication(tx.db, actorOf(res), params.id);
          if (!(await sessions.revoke(tx, { id: params.sessionId, applicationId }))) {
            throw new ProblemError('not_found', 'The application has no such session.');
          }
          return { status: 204, body: undefined };
        },
      }),
  });
}
