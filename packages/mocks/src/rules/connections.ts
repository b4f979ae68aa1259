import type { Connection } from '@gatehouse/contract';
import type { ConnectionRow, IntegrationRow } from '../state/rows.ts';
import { connectionKey, type State } from '../state/state.ts';
import { connectionDestination } from './destinations.ts';

/** A user's connection: connected when a credential is stored for the present mode and destination, even if it was rejected. */
export function presentConnection(
  state: State,
  integration: IntegrationRow,
  userId: string,
): Connection {
  const key = connectionKey(integration.id, userId);
  const connection = state.connections.get(key);
  const revocation = state.revocations.get(key);
  if (!connection) {
    return {
      connected: false,
      status: 'disconnected',
      ...(revocation === undefined ? {} : { revocation: { ...revocation } }),
    };
  }
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

/** Replaces a user's connection. What became of an earlier grant is forgotten. */
export function storeConnection(state: State, key: string, connection: ConnectionRow): void {
  state.connections.set(key, connection);
  state.revocations.delete(key);
}

/** Deletes a user's connection. An OAuth grant counts as revoked at its provider at once. */
export function deleteConnection(state: State, key: string): boolean {
  if (state.connections.get(key)?.mode === 'oauth') {
    state.revocations.set(key, { status: 'revoked', at: new Date().toISOString() });
  }
  return state.connections.delete(key);
}
