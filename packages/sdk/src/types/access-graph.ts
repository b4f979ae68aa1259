import type { AuthMode, IntegrationCategory, ValidationStatus } from './integration.ts';
import type { Open } from './open.ts';

/**
 * Why an edge of the access graph does not allow calls.
 *
 * @example
 * ```ts
 * const code: AccessPolicyReasonCode = 'server_token_missing';
 * ```
 */
export type AccessPolicyReasonCode =
  | 'application_archived'
  | 'integration_archived'
  | 'not_proxied'
  | 'validation_invalid'
  | 'server_token_missing'
  | 'oauth_not_configured';

/**
 * One reason of an {@link AccessPolicy}.
 *
 * @example
 * ```ts
 * const text = ({ code, message }: AccessPolicyReason) => `${code}: ${message}`;
 * ```
 */
export interface AccessPolicyReason {
  code: Open<AccessPolicyReasonCode>;
  message: string;
}

/**
 * Whether calls over an edge are allowed at present.
 *
 * @example
 * ```ts
 * const explain = ({ reasons }: AccessPolicy) => reasons.map(({ message }) => message);
 * ```
 */
export interface AccessPolicy {
  allowed: boolean;
  reasons: AccessPolicyReason[];
}

/**
 * An application in the access graph.
 *
 * @example
 * ```ts
 * const label = ({ name, archivedAt }: AccessGraphApplication) =>
 *   archivedAt ? 'archived' : name;
 * ```
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
 *
 * @example
 * ```ts
 * const label = ({ name, authMode }: AccessGraphIntegration) => `${name} (${authMode})`;
 * ```
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
 * An attachment of an integration to an application.
 *
 * @example
 * ```ts
 * const key = ({ applicationId, integrationId }: AccessGraphEdge) =>
 *   `${applicationId}/${integrationId}`;
 * ```
 */
export interface AccessGraphEdge {
  applicationId: string;
  integrationId: string;
  /** ISO 8601. */
  attachedAt: string;
  /** Present when asked for with `includePolicy`. */
  policy?: AccessPolicy;
}

/**
 * Which application may use which integration, for the whole organization.
 *
 * @example
 * ```ts
 * const graph: AccessGraph = await gatehouse.applications.accessGraph();
 * if (graph.truncated) console.warn('There are more edges.');
 * ```
 */
export interface AccessGraph {
  applications: AccessGraphApplication[];
  integrations: AccessGraphIntegration[];
  edges: AccessGraphEdge[];
  /** Whether there are more edges than the 5,000 returned. */
  truncated: boolean;
}

/**
 * What the access graph includes.
 *
 * @example
 * ```ts
 * const query: AccessGraphQuery = { includePolicy: true };
 * ```
 */
export interface AccessGraphQuery {
  /** Compute the policy of every edge. */
  readonly includePolicy?: boolean | undefined;
}
