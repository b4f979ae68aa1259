import type { Open } from './open.ts';

/**
 * Whether the caller is connected.
 */
export type ConnectionStatus = 'connected' | 'disconnected';

/**
 * Why a connection cannot be used at present.
 */
export type ConnectionReason = 'needs_reauth' | 'rejected_upstream' | 'expired';

/**
 * The caller's credential for one integration. The credential itself is never returned.
 */
export interface Connection {
  /** Whether a credential for the integration's present destination and mode is stored. */
  connected: boolean;
  status: Open<ConnectionStatus>;
  /** ISO 8601. */
  expiresAt?: string;
  /** The name that the provider returned. */
  displayName?: string;
  reason?: Open<ConnectionReason>;
}
