import type { ConnectionReason } from './connection.ts';
import type { Open } from './open.ts';

/**
 * The first of what needs attention, at most 20, and how many there are.
 */
export interface Needs<Item> {
  total: number;
  items: Item[];
}

/**
 * What needs the caller.
 */
export interface OverviewAttention {
  /** Integrations that the last validation found invalid, the newest first, without those in `connections`. */
  invalidIntegrations: Needs<{ id: string; name: string; message: string | null }>;
  /** The caller’s own connections to renew, with the name of the integration. */
  connections: Needs<{ integrationId: string; name: string; reason: Open<ConnectionReason> }>;
  /** Integrations with a TLS certificate that expires within 14 days, the soonest first; empty for members. */
  certificates: Needs<{ id: string; name: string; expiresAt: string }>;
  /** The caller’s own personal tokens that expire within 7 days, the soonest first. */
  tokens: Needs<{ id: string; name: string; expiresAt: string }>;
  /** Integrations with tools in the state `changed`, how many and at most 10 names; empty for members. */
  changedTools: Needs<{ id: string; name: string; toolCount: number; toolNames: string[] }>;
}

/**
 * What is in use, and what needs attention, as far as the caller may see it. Applications and their sessions are those of the
 * organization for owners and admins, and those that they own for members.
 */
export interface Overview {
  /** ISO 8601. When a client other than the console first opened a session of these applications. */
  firstCallAt: string | null;
  /** Those that are not archived. */
  integrations: { total: number; valid: number };
  /** Those that are not archived, and those of them with an active session. */
  applications: { total: number; inUse: number };
  /** Open sessions with recent activity, and all sessions ever. */
  sessions: { active: number; total: number };
  /** How many integrations the caller has connected. */
  connections: number;
  attention: OverviewAttention;
}

/**
 * The response of `GET /overview`.
 */
export interface OverviewResponse {
  overview: Overview;
}
