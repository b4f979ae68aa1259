import type { EventDetails } from '@gatehouse/contract';
import type { Tx } from '../platform/database/store.ts';
import type { Actor } from './actor.ts';

/**
 * Records what is about the audit or the installation, in every organization.
 *
 * @param actorIn who acts, for the id of an organization
 */
export async function recordForAll(
  { db, record }: Pick<Tx, 'db' | 'record'>,
  actorIn: (organizationId: string) => Actor,
  details: EventDetails<'audit' | 'installation'>,
): Promise<void> {
  for (const { id } of await db.organization.findMany({ select: { id: true } })) {
    record({ ...details, actor: actorIn(id), targetId: id });
  }
}
