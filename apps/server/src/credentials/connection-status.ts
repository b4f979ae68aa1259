import {
  type ConnectionReason,
  type DestinationSettings,
  presentDestination,
} from '@gatehouse/contract';
import type { Integration } from '../generated/prisma/client.ts';
import type { ConnectionRow } from './connections.ts';
import { credentialTargetOf } from './target.ts';

/** Whether a stored connection matches the current configuration of its integration. */
export interface ConnectionStatus {
  /**
   * True if a credential for the current mode and destination is stored, even if the upstream rejects it.
   */
  readonly isConnected: boolean;
  /** Why the user should connect again. */
  readonly reason: ConnectionReason | undefined;
}

export function connectionStatusOf(
  integration: Integration,
  connection: ConnectionRow | undefined,
): ConnectionStatus {
  if (connection === undefined) return { isConnected: false, reason: undefined };
  return statusAt(credentialTargetOf(integration), connection);
}

/** The same of a connection that is stored, from the settings alone that decide where it may be sent. */
export function statusAt(
  target: DestinationSettings,
  connection: Omit<ConnectionRow, 'displayName'>,
): ConnectionStatus {
  const { mode, destination, expiresAt } = connection;
  if (mode !== target.authMode || destination !== presentDestination(target)) {
    return { isConnected: false, reason: 'needs_reauth' };
  }
  const hasExpired = expiresAt !== null && expiresAt.getTime() <= Date.now();
  const reason = connection.reason ?? (hasExpired ? 'expired' : undefined);
  return { isConnected: true, reason };
}
