import type { Me } from '@gatehouse/contract';
import type { Organization, User } from '../../generated/prisma/client.ts';

export function presentMe(user: User & { organization: Organization }): Me {
  const { id, email, name, role, organization } = user;
  return {
    user: { id, email, name, role },
    organization: { id: organization.id, name: organization.name },
  };
}
