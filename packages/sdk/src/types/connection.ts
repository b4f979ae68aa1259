import type { Open } from './open.ts';

/**
 * Why a connection cannot be used as it stands.
 *
 * @example
 * ```ts
 * const isExpired = (reason: ConnectionReason) => reason === 'expired';
 * ```
 */
export type ConnectionReason = 'needs_reauth' | 'rejected_upstream' | 'expired';

/**
 * The caller's own credential for one integration; the credential itself is never returned.
 *
 * @example
 * ```ts
 * const { integration } = await gatehouse.integrations.get(id);
 * const connection: Connection | undefined = integration.userConnection;
 * ```
 */
export interface Connection {
  /** Whether a credential for the integration's present destination and mode is stored. */
  connected: boolean;
  status: Open<'connected' | 'disconnected'>;
  /** ISO 8601. */
  expiresAt?: string;
  /** The name the provider gave. */
  displayName?: string;
  reason?: Open<ConnectionReason>;
}
