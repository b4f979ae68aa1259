import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { checkFixedFields } from '../../http/fixed-fields.ts';
import { mutate } from '../../http/mutate.ts';
import type { RouterDeps } from '../router-deps.ts';
import { presentOrganization } from './presenter.ts';
import { lockOrganizationRow } from './repository.ts';
import { updateOrganization } from './service.ts';

export function organizationRouter(deps: RouterDeps) {
  return initServer().router(contract.organization, {
    update: ({ body, req, res }) =>
      mutate(deps, req, res, {
        lock: ({ db, actor }) => lockOrganizationRow(db, actor.organizationId),
        act: async (mutation) => {
          const organization = presentOrganization(await updateOrganization(mutation, body));
          checkFixedFields(contract.organization.update.body, req.body, organization);
          return { status: 200, body: { organization } };
        },
      }),
  });
}
