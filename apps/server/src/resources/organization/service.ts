import type { UpdateOrganizationBody } from '@gatehouse/contract';
import type { Organization } from '../../generated/prisma/client.ts';
import { type Mutation, record } from '../../identity/mutation.ts';
import { changedFields } from '../changed-fields.ts';
import { readOrganization, updateOrganizationRow } from './repository.ts';

/** The organization must be locked. */
export async function updateOrganization(
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
