import type { Organization } from '@gatehouse/contract';
import type { Organization as OrganizationRow } from '../../generated/prisma/client.ts';

export function presentOrganization({ id, name }: OrganizationRow): Organization {
  return { id, name };
}
