import type { Me } from '@gatehouse/contract';
import type { UserWithOrganization } from './repository.ts';

export function presentMe(user: UserWithOrganization): Me {
  const { id, email, name, role, organization } = user;
  return {
    user: { id, email, name, role },
    organization: { id: organization.id, name: organization.name },
  };
}
