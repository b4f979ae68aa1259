import { connectionStatusOf } from '../../../credentials/connection-status.ts';
import { type ConnectionRow, connectionColumns } from '../../../credentials/connections.ts';
import { credentialTargetOf, isPersonalMode } from '../../../credentials/target.ts';
import type { Integration } from '../../../generated/prisma/client.ts';
import type { ConsentRouterDeps, Decision } from '../decision.ts';

/** An integration that cannot be used until the person gives a credential for it. */
export interface MissingCredential {
  readonly integration: Integration;
  /** There is one, but it no longer works. */
  readonly isReplaced: boolean;
}

type Deps = Pick<ConsentRouterDeps, 'store' | 'credentials'>;

/**
 * The first integration of a request, by name, for which the person needs their own credential and has
 * no working one: it is missing, is for another destination or an earlier schema, or was rejected.
 */
export async function findMissingCredential(
  deps: Deps,
  { person, request }: Pick<Decision, 'person' | 'request'>,
): Promise<MissingCredential | undefined> {
  const ids = request.integrations
    .filter(({ authMode }) => isPersonalMode(authMode))
    .map(({ id }) => id);
  if (ids.length === 0) return undefined;
  const { userId, organizationId } = person;
  // Bounded by the number of integrations that an application may have.
  const rows = await deps.store.db.integration.findMany({
    where: { id: { in: ids }, organizationId, archivedAt: null },
    include: { connections: { where: { userId }, select: connectionColumns } },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
  for (const { connections, ...integration } of rows) {
    if (!canBeGiven(integration)) continue;
    const [connection] = connections;
    if (!(await isUsable(deps, { integration, connection, userId }))) {
      return { integration, isReplaced: connection !== undefined };
    }
  }
  return undefined;
}

/** Without an OAuth configuration only an admin can act. */
function canBeGiven({ authMode, oauth }: Integration): boolean {
  return authMode === 'oauth' ? oauth !== null : isPersonalMode(authMode);
}

interface Given {
  readonly integration: Integration;
  readonly connection: ConnectionRow | undefined;
  readonly userId: string;
}

async function isUsable(
  { credentials }: Deps,
  { integration, connection, userId }: Given,
): Promise<boolean> {
  const { isConnected, reason } = connectionStatusOf(integration, connection);
  if (!isConnected || reason !== undefined) return false;
  const { kind } = await credentials.resolve(credentialTargetOf(integration), userId);
  return kind !== 'needs_user';
}
