import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { actorOf } from '../../http/context.ts';
import { jsonInParts } from '../../http/json-in-parts.ts';
import type { RouterDeps } from '../router-deps.ts';
import { requirePerson } from './person.ts';
import { presentAccessGraph } from './presenter.ts';
import { readAccessGraph } from './service.ts';

/** In the contract it is an operation of the applications. */
export function accessGraphRouter({ store }: RouterDeps) {
  const { accessGraph } = contract.applications;
  return initServer().router(
    { accessGraph },
    {
      accessGraph: async ({ query, res }) => {
        const caller = actorOf(res);
        const person = await requirePerson(store.db, caller, query);
        const rows = await readAccessGraph(store.db, caller.organizationId, {
          policyFor: query.includePolicy ? person : undefined,
        });
        const body = await jsonInParts(res, accessGraph.responses[200], presentAccessGraph(rows));
        return { status: 200, body };
      },
    },
  );
}
