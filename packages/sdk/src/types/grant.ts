import type { PageQuery } from './pagination.ts';

/**
 * What the caller has allowed one client to do through one application.
 */
export interface Grant {
  id: string;
  applicationId: string;
  applicationName: string;
  /** The id of the application, or of a client that is not registered as one. */
  clientId: string;
  /** As a client that is not registered calls itself. */
  clientName?: string;
  resources: string[];
  scopes: string[];
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  lastUsedAt: string | null;
  /** ISO 8601. */
  expiresAt: string;
}

/**
 * A page of grants.
 */
export interface GrantPage {
  items: Grant[];
  nextCursor: string | null;
}

/**
 * The query of `GET /grants`.
 */
export type ListGrantsQuery = PageQuery;
