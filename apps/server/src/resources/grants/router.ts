import { contract, type Grant } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { actorOf } from '../../http/context.ts';
import { readPage } from '../../http/cursor.ts';
import { mutate } from '../../http/mutate.ts';
import { actorOfCaller, isAdmin, type PersonCaller } from '../../identity/caller.ts';
import { endGrant as endGrantRow, type GrantScope } from '../../identity/grants/end-grant.ts';
import { type GrantWithNames, listGrants } from '../../identity/grants/list-grants.ts';
import type { Mutation } from '../../identity/mutation.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { revokeSessionsOfToken } from '../../sessions/revocation.ts';
import type { RouterDeps } from '../router-deps.ts';

export function grantsRouter(deps: RouterDeps) {
  const { store, cursors } = deps;
  return initServer().router(contract.grants, {
    list: async ({ query, res }) => {
      const actor = actorOf(res);
      const scope = { list: 'grants', actor, perUser: true, filters: {} };
      const { rows, nextCursor } = await readPage(cursors, scope, query, (page) =>
        listGrants(store.db, actor.userId, page),
      );
      return { status: 200, body: { items: rows.map(presentGrant), nextCursor } };
    },

    end: ({ params: { id }, req, res }) =>
      mutate(deps, req, res, {
        act: async (mutation) => {
          await endGrant(mutation, id);
          return { status: 204, body: undefined };
        },
      }),
  });
}

function presentGrant(grant: GrantWithNames): Grant {
  const { id, applicationId, application, clientId, clientName, resources, scopes } = grant;
  return {
    id,
    applicationId,
    applicationName: application.name,
    clientId,
    ...(clientName === undefined ? {} : { clientName }),
    resources,
    scopes,
    createdAt: grant.createdAt.toISOString(),
    lastUsedAt: grant.lastUsedAt?.toISOString() ?? null,
    expiresAt: grant.expiresAt.toISOString(),
  };
}

/** Also ends the sessions that are the grant's activity, which announces it. @throws ProblemError `not_found` */
async function endGrant({ tx, actor }: Mutation, id: string): Promise<void> {
  if (!(await endGrantRow(tx, endableBy(actor), id, actorOfCaller(actor)))) {
    throw new ProblemError('not_found', 'There is no such grant.');
  }
  await revokeSessionsOfToken(tx, id);
}

/** Members may end their own grants, admins and owners all of the organization. */
function endableBy(actor: PersonCaller): GrantScope {
  const { organizationId, userId } = actor;
  return isAdmin(actor) ? { organizationId } : { organizationId, userId };
}
