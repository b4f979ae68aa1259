import type { Group as GroupBody } from '@gatehouse/contract';
import type { Group } from '../../generated/prisma/client.ts';

export function presentGroup({ id, name, externalId, createdAt, updatedAt }: Group): GroupBody {
  return {
    id,
    name,
    externalId,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
