import { type Connection as ConnectionBody, presentDestination } from '@gatehouse/contract';
import type { Integration } from '../../generated/prisma/client.ts';
import { targetOf } from '../integrations/target.ts';
import type { ConnectionRow } from './repository.ts';

/**
 * A user's connection to an integration: connected when a credential is stored for the present mode
 * and destination, whatever the upstream said of it.
 */
export function presentConnection(
  integration: Integration,
  connection: ConnectionRow | undefined,
): ConnectionBody {
  if (!connection) return { connected: false, status: 'disconnected' };
  const { mode, destination, expiresAt, displayName } = connection;
  const target = targetOf(integration);
  if (mode !== target.authMode || destination !== presentDestination(target)) {
    return { connected: false, status: 'disconnected', reason: 'needs_reauth' };
  }
  const reason = connection.reason ?? (isPast(expiresAt) ? 'expired' : null);
  return {
    connected: true,
    status: 'connected',
    ...(reason === null ? {} : { reason }),
    ...(expiresAt === null ? {} : { expiresAt: expiresAt.toISOString() }),
    ...(displayName === null ? {} : { displayName }),
  };
}

function isPast(instant: Date | null): boolean {
  return instant !== null && instant.getTime() <= Date.now();
}
