import type { Connection as ConnectionBody } from '@gatehouse/contract';
import { connectionStatusOf } from '../credentials/connection-status.ts';
import type { ConnectionRow } from '../credentials/connections.ts';
import type { LastRevocation } from '../credentials/oauth/revocation/outbox.ts';
import type { Integration } from '../generated/prisma/client.ts';

/**
 * A user's connection to an integration, as integrations and connections present it.
 *
 * @param revocation of the grant that the user has disconnected, if that is to be shown
 */
export function presentConnection(
  integration: Integration,
  connection: ConnectionRow | undefined,
  revocation?: LastRevocation,
): ConnectionBody {
  const { isConnected, reason } = connectionStatusOf(integration, connection);
  const why = reason === undefined ? {} : { reason };
  if (!isConnected) {
    const ended = revocation && { status: revocation.status, at: revocation.at.toISOString() };
    return {
      connected: false,
      status: 'disconnected',
      ...why,
      ...(ended === undefined ? {} : { revocation: ended }),
    };
  }
  const { expiresAt = null, displayName = null } = connection ?? {};
  return {
    connected: true,
    status: 'connected',
    ...why,
    ...(expiresAt === null ? {} : { expiresAt: expiresAt.toISOString() }),
    ...(displayName === null ? {} : { displayName }),
  };
}
