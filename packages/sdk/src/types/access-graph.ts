import type { AuthMode, IntegrationCategory, ValidationStatus } from './integration.ts';
import type { MemberRole } from './member.ts';
import type { Open } from './open.ts';
import type { PolicyReason } from './policy-reason.ts';

/**
 * Why an edge of the access graph does not allow calls. The last three come from rules about people.
 */
export type AccessPolicyReasonCode =
  | 'application_archived'
  | 'integration_archived'
  | 'not_proxied'
  | 'validation_invalid'
  | 'server_token_missing'
  | 'oauth_not_configured'
  | 'role_or_group'
  | 'person'
  | 'client_credentials';

/**
 * One reason of an {@link AccessPolicy}.
 */
export interface AccessPolicyReason {
  code: Open<AccessPolicyReasonCode>;
  message: string;
  /** The level of the rule, if a rule refuses. */
  level?: PolicyReason['level'];
}

/**
 * Whether calls over an edge are allowed at present, for the caller or for whom the query names.
 */
export interface AccessPolicy {
  allowed: boolean;
  reasons: AccessPolicyReason[];
  /** How many of the integration's listed tools rules allow. Absent where it is not proxied, and where there are too many to count. */
  tools?: { allowed: number; total: number };
}

/**
 * An application in the access graph.
 */
export interface AccessGraphApplication {
  id: string;
  name: string;
  ownerUserId: string;
  /** ISO 8601; `null` unless archived. */
  archivedAt: string | null;
}

/**
 * An integration in the access graph.
 */
export interface AccessGraphIntegration {
  id: string;
  name: string;
  category: Open<IntegrationCategory>;
  authMode: Open<AuthMode>;
  validationStatus: Open<ValidationStatus>;
  /** ISO 8601; `null` unless archived. */
  archivedAt: string | null;
}

/**
 * How an application uses an integration: calls through the gateway, or a credential that it gets handed out.
 */
export type AccessGraphUse = 'called_through' | 'handed_out_to';

/**
 * An attachment of an integration to an application.
 */
export interface AccessGraphEdge {
  applicationId: string;
  integrationId: string;
  /** ISO 8601. */
  attachedAt: string;
  use: Open<AccessGraphUse>;
  /** Present when requested with `includePolicy`. */
  policy?: AccessPolicy;
}

/**
 * Which application may use which integration: a page of applications with all their edges.
 */
export interface AccessGraph {
  applications: AccessGraphApplication[];
  /** Those of the edges. On the first page also those that are attached to nothing. */
  integrations: AccessGraphIntegration[];
  edges: AccessGraphEdge[];
  /** Whether there is another page. */
  truncated: boolean;
  /** The `cursor` of the next page; `null` on the last one. */
  nextCursor: string | null;
}

/**
 * What the access graph includes.
 */
export interface AccessGraphQuery {
  /** Applications of a page: 50 by default, at most 100. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
  /** Only this application. */
  readonly applicationId?: string | undefined;
  /** Only this integration, and the applications that it is attached to. */
  readonly integrationId?: string | undefined;
  /** Whether to compute the policy of every edge. */
  readonly includePolicy?: boolean | undefined;
  /** Computes the policy for this member instead of the caller. Not together with the next two. */
  readonly forUserId?: string | undefined;
  /** Computes it for a member who is in this group alone. */
  readonly forGroup?: string | undefined;
  /** Computes it for someone with this role, in no group but `forGroup`. */
  readonly forRole?: MemberRole | undefined;
}
