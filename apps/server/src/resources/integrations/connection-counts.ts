import { isPersonalMode } from '../../credentials/target.ts';
import type { Integration } from '../../generated/prisma/client.ts';
import { isAdmin, type PersonCaller } from '../../identity/caller.ts';
import type { Db } from '../../platform/database/store.ts';
import { countConnections } from './repository.ts';

/** How many people have connected each of these; empty for members. One statement for a page. */
export async function connectionCountsFor(
  db: Db,
  actor: PersonCaller,
  integrations: readonly Pick<Integration, 'id' | 'authMode'>[],
): Promise<ReadonlyMap<string, number>> {
  const ids = integrations.filter(({ authMode }) => isPersonalMode(authMode)).map(({ id }) => id);
  if (!isAdmin(actor) || ids.length === 0) return new Map();
  const counts = await countConnections(db, ids);
  return new Map(ids.map((id) => [id, counts.get(id) ?? 0]));
}
