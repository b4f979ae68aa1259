import type { Open } from './open.ts';
import type { PageQuery } from './pagination.ts';

/**
 * Whether someone is connected. `connected`: a credential for the present destination is stored;
 * `disconnected`: no such credential, though perhaps one for an earlier destination.
 */
export type ConnectionStatus = 'connected' | 'disconnected';

/**
 * Why a connection needs attention. `needs_reauth`: it was made for another destination
 * (`disconnected`), or the provider no longer renews an OAuth grant (`connected`); either way the user
 * has to connect again.
 */
export type ConnectionReason = 'needs_reauth' | 'rejected_upstream' | 'expired';

/**
 * What became of an OAuth grant at its provider. `failed`: it was given up; the user may want to end it
 * there. `not_supported`: the provider has no way to revoke.
 */
export type RevocationStatus = 'pending' | 'revoked' | 'failed' | 'not_supported';

/**
 * The revocation of an OAuth grant that the caller has disconnected.
 */
export interface Revocation {
  status: Open<RevocationStatus>;
  /** ISO 8601. When the status was reached. */
  at: string;
}

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
  /** Shown for a while after a disconnect of an OAuth connection, until the caller connects again. */
  revocation?: Revocation;
}

/**
 * Body of `POST /integrations/:id/connection`: exactly one of both. The credential schema of the
 * integration names the fields.
 */
export interface SetConnectionBody {
  /** An access token or API key of the caller. */
  readonly token?: string | undefined;
  /** The values that the credential schema asks for, by their names. */
  readonly fields?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/**
 * The caller's connection.
 */
export interface ConnectionResponse {
  connection: Connection;
}

/**
 * Body of `POST /integrations/:id/connection/authorize`.
 */
export interface AuthorizeConnectionBody {
  /** Where the browser goes in the end. Its origin must be an allowed one. */
  readonly returnTo?: string | undefined;
}

/**
 * A link by which the caller connects, once.
 */
export interface AuthorizeConnectionResponse {
  authorizationUrl: string;
  /** ISO 8601. Ten minutes later. */
  expiresAt: string;
}

/**
 * Someone's credential for one integration, as an admin sees it.
 */
export interface MemberConnection {
  userId: string;
  userName: string;
  userEmail: string;
  mode: Open<'user_token' | 'oauth'>;
  connected: boolean;
  status: Open<ConnectionStatus>;
  reason?: Open<ConnectionReason>;
  /** ISO 8601. */
  expiresAt?: string;
  /** ISO 8601. When the stored credential was entered or granted. */
  createdAt: string;
  /** ISO 8601. When OAuth tokens were last renewed; `null` where they are not renewed. */
  refreshedAt: string | null;
}

/**
 * A page of connections.
 */
export interface MemberConnectionPage {
  items: MemberConnection[];
  nextCursor: string | null;
}

/**
 * The query of `GET /integrations/:id/connections`.
 */
export interface ListConnectionsQuery extends PageQuery {
  /** Only connections with this status. */
  readonly status?: ConnectionStatus | undefined;
  /** Only the connection of this member. */
  readonly userId?: string | undefined;
}
