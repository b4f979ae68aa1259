import type { Connection as ConnectionBody } from '@gatehouse/contract';
import { connectionStatusOf } from '../credentials/connection-status.ts';
import type { ConnectionRow } from '../credentials/connections.ts';
import type { Integration } from '../generated/prisma/client.ts';

/** A user's connection to an integration, as integrations and connections present it. */
export function presentConnection(
  integration: Integration,
  connection: ConnectionRow | undefined,
): ConnectionBody {
  const { isConnected, reason } = connectionStatusOf(integration, connection);
  const why = reason === undefined ? {} : { reason };
  if (!isConnected) return { connected: false, status: 'disconnected', ...why };
  const { expiresAt = null, displayName = null } = connection ?? {};
  return {
    connected: true,
    status: 'connected',
    ...why,
    ...(expiresAt === null ? {} : { expiresAt: expiresAt.toISOString() }),
    ...(displayName === null ? {} : { displayName }),
  };
}
