import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { actorOf } from '../../http/context.ts';
import { readPage } from '../../http/cursor.ts';
import { mutate } from '../../http/mutate.ts';
import { actorOfCaller } from '../../identity/caller.ts';
import type { Mutation } from '../../identity/mutation.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import type { ManagedSessions } from '../../sessions/sessions.ts';
import { requireApplication } from '../applications/service.ts';
import type { RouterDeps } from '../router-deps.ts';
import { presentSession } from './presenter.ts';

/** Users who can see an application can list and revoke its sessions. */
export function sessionsRouter(deps: RouterDeps) {
  const { store, sessions, cursors } = deps;
  return initServer().router(contract.sessions, {
    list: async ({ params, query, res }) => {
      const actor = actorOf(res);
      const { id: applicationId } = await requireApplication(store.db, actor, params.id);
      const scope = { list: 'sessions', actor, perUser: false, filters: { applicationId } };
      const { rows, nextCursor } = await readPage(cursors, scope, query, async (page) => [
        ...(await sessions.list(store.db, { applicationId, ...page })),
      ]);
      const items = rows.map((session) => presentSession(applicationId, session));
      return { status: 200, body: { items, nextCursor } };
    },

    revoke: ({ params: { id, sessionId }, req, res }) =>
      mutate(deps, req, res, {
        act: async (mutation) => {
          await revokeSession(mutation, deps, id, sessionId);
          return { status: 204, body: undefined };
        },
      }),
  });
}

/** Revokes a session of an application that the caller can see. @throws ProblemError `not_found` */
async function revokeSession(
  { tx, actor }: Mutation,
  { sessions }: { readonly sessions: ManagedSessions },
  applicationId: string,
  id: string,
): Promise<void> {
  await requireApplication(tx.db, actor, applicationId);
  if (await sessions.revoke(tx, { id, applicationId }, actorOfCaller(actor))) return;
  throw new ProblemError('not_found', 'The application has no such session.');
}
