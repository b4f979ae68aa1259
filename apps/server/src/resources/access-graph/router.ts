import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { actorOf } from '../../http/context.ts';
import type { Deps } from '../deps.ts';
import { presentAccessGraph } from './presenter.ts';
import { readAccessGraph } from './service.ts';

/** It belongs to the applications of the contract, and stands before `/applications/:id`. */
export function accessGraphRouter({ store }: Deps) {
  const { accessGraph } = contract.applications;
  return initServer().router(
    { accessGraph },
    {
      accessGraph: async ({ query, res }) => {
        const { organizationId } = actorOf(res);
        const rows = await readAccessGraph(store.db, organizationId, {
          withFacts: query.includePolicy,
        });
        return { status: 200, body: presentAccessGraph(rows) };
      },
    },
  );
}
