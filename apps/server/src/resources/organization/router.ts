import { contract, type UpdateOrganizationBody } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import type { Organization } from '../../generated/prisma/client.ts';
import { checkFixedFields } from '../../http/fixed-fields.ts';
import { mutate } from '../../http/mutate.ts';
import { type Mutation, record } from '../../identity/mutation.ts';
import { changedFields } from '../changed-fields.ts';
import type { RouterDeps } from '../router-deps.ts';
import { presentOrganization } from './presenter.ts';
import { lockOrganizationRow, readOrganization, updateOrganizationRow } from './repository.ts';

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

/** The organization must be locked. */
async function updateOrganization(
  mutation: Mutation,
  { name }: UpdateOrganizationBody,
): Promise<Organization> {
  const { db } = mutation.tx;
  const { organizationId } = mutation.actor;
  const current = await readOrganization(db, organizationId);
  const change = { name: name ?? current.name };
  const changes = changedFields({ name: current.name }, change);
  if (changes.length === 0) return current;
  const organization = await updateOrganizationRow(db, organizationId, change);
  record(mutation, organizationId, { action: 'organization.updated', changes });
  return organization;
}
