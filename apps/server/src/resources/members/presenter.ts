import type { Member } from '@gatehouse/contract';
import type { User } from '../../generated/prisma/client.ts';

export function presentMember({ id, email, name, role, createdAt }: User): Member {
  return { id, email, name, role, createdAt: createdAt.toISOString() };
}
