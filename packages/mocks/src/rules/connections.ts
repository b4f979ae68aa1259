import type { Connection } from '@gatehouse/contract';
import type { ConnectionRow, IntegrationRow } from '../state/rows.ts';
import { connectionDestination } from './destinations.ts';

/** Connected when a credential is stored for the present mode and destination, even if it was rejected. */
export function presentConnection(
  integration: IntegrationRow,
  connection: ConnectionRow | undefined,
): Connection {
  if (!connection) return { connected: false, status: 'disconnected' };
  const { mode, destination, expiresAt, displayName } = connection;
  if (mode !== integration.authMode || destination !== connectionDestination(integration)) {
    return { connected: false, status: 'disconnected', reason: 'needs_reauth' };
  }
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  const reason = connection.reason ?? (isExpired ? 'expired' : null);
  return {
    connected: true,
    status: 'connected',
    ...(reason === null ? {} : { reason }),
    ...(expiresAt === null ? {} : { expiresAt }),
    ...(displayName === null ? {} : { displayName }),
  };
}
