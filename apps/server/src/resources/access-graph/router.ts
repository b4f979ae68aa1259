import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { authorizeAgain } from '../../http/authorize-route.ts';
import { actorOf } from '../../http/context.ts';
import { readPage } from '../../http/cursor.ts';
import { jsonInParts } from '../../http/json-in-parts.ts';
import type { RouterDeps } from '../router-deps.ts';
import { countFittingEdges, listApplicationIds } from './application-pages.ts';
import { requirePerson } from './person.ts';
import { presentAccessGraph } from './presenter.ts';
import { readAccessGraph } from './service.ts';
import { answerWhatIf } from './what-if/what-if.ts';

/** In the contract it is an operation of the applications. */
export function accessGraphRouter({ store, cursors, publicUrl }: RouterDeps) {
  const { accessGraph, whatIf } = contract.applications;
  return initServer().router(
    { accessGraph, whatIf },
    {
      whatIf: async ({ body, res }) => {
        const caller = await authorizeAgain(store.db, res);
        const answer = await answerWhatIf({ store, publicUrl }, caller, body.changes);
        return { status: 200, body: await jsonInParts(res, whatIf.responses[200], answer) };
      },

      accessGraph: async ({ query, res }) => {
        const caller = actorOf(res);
        const person = await requirePerson(store.db, caller, query);
        const { organizationId } = caller;
        const { applicationId, integrationId } = query;
        const filter = { applicationId, integrationId };
        const scope = { list: 'access-graph', actor: caller, perUser: false, filters: filter };
        const { rows: applications, nextCursor } = await readPage(
          cursors,
          scope,
          query,
          (part) => listApplicationIds(store.db, organizationId, filter, part),
          (page) => countFittingEdges(store.db, filter, page),
        );
        const rows = await readAccessGraph(store.db, organizationId, {
          ...filter,
          applicationIds: applications.map(({ id }) => id),
          isFirst: query.cursor === undefined,
          policyFor: query.includePolicy ? person : undefined,
        });
        const shown = presentAccessGraph(rows, nextCursor);
        const body = await jsonInParts(res, accessGraph.responses[200], shown);
        return { status: 200, body };
      },
    },
  );
}
