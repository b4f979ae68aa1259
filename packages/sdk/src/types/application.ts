import type {
  ApplicationOauth,
  ApplicationOauthWithSecret,
  CreateApplicationOauth,
} from './application-oauth.ts';
import type { AuthMode, IntegrationCategory, ValidationStatus } from './integration.ts';
import type { ListQuery } from './list.ts';
import type { Open } from './open.ts';

/**
 * An integration as it stands attached to an application.
 *
 * @example
 * ```ts
 * const urls = (attached: AttachedIntegration[]) => attached.map(({ mcpUrl }) => mcpUrl);
 * ```
 */
export interface AttachedIntegration {
  /** UUID of the integration. */
  id: string;
  name: string;
  category: Open<IntegrationCategory>;
  authMode: Open<AuthMode>;
  validationStatus: Open<ValidationStatus>;
  /** ISO 8601; `null` unless archived. */
  archivedAt: string | null;
  /** ISO 8601. */
  attachedAt: string;
  /** Where MCP clients reach it through this application; `null` when it is not proxied. */
  mcpUrl: string | null;
}

/**
 * An OAuth client that integrations are attached to.
 *
 * @example
 * ```ts
 * const url = ({ mcpUrlTemplate }: Application) => mcpUrlTemplate ?? 'archived';
 * ```
 */
export interface Application {
  /** UUID. */
  id: string;
  name: string;
  /** The user who created it. */
  ownerUserId: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  updatedAt: string;
  /** ISO 8601; `null` unless archived. */
  archivedAt: string | null;
  /** Whether the caller may change it. */
  canModify: boolean;
  /** Open sessions with activity in the last minutes. */
  activeSessionCount: number;
  /** The other open sessions. */
  idleSessionCount: number;
  /** Open sessions with a stream or a request in flight right now. */
  liveSessionCount: number;
  /** All sessions there ever were. */
  totalSessionCount: number;
  /** RFC 6570 template with the variable `integrationId`; `null` when archived. */
  mcpUrlTemplate: string | null;
  integrations: AttachedIntegration[];
  oauth: ApplicationOauth | null;
}

/**
 * The answer that carries one application.
 *
 * @example
 * ```ts
 * const { application }: ApplicationResponse = await gatehouse.applications.get(id);
 * ```
 */
export interface ApplicationResponse {
  application: Application;
}

/**
 * The answer of `applications.create` and `applications.rotateSecret`.
 *
 * @example
 * ```ts
 * const { oauth }: ApplicationWithSecretResponse = await gatehouse.applications.rotateSecret(id);
 * ```
 */
export interface ApplicationWithSecretResponse {
  application: Application;
  /** The only place where the client secret ever stands. */
  oauth: ApplicationOauthWithSecret;
}

/**
 * Body of `applications.create`.
 *
 * @example
 * ```ts
 * const body: CreateApplication = {
 *   name: 'Editor',
 *   oauth: { type: 'public', redirectUris: ['cursor://anysphere.cursor-mcp/oauth/callback'] },
 * };
 * ```
 */
export interface CreateApplication {
  /** 1 to 200 characters. */
  readonly name: string;
  readonly oauth: CreateApplicationOauth;
}

/**
 * Body of `applications.update`.
 *
 * @example
 * ```ts
 * const body: UpdateApplication = { name: 'Support' };
 * ```
 */
export interface UpdateApplication {
  readonly name?: string | undefined;
}

/**
 * Which applications to list.
 *
 * @example
 * ```ts
 * const query: ListApplicationsQuery = { all: true, includeArchived: true };
 * ```
 */
export interface ListApplicationsQuery extends ListQuery {
  /** Those of the whole organization, not only the caller's own; for admins and owners. */
  readonly all?: boolean | undefined;
  /** Archived ones are left out otherwise. */
  readonly includeArchived?: boolean | undefined;
}

/**
 * The integrations attached to an application.
 *
 * @example
 * ```ts
 * const { integrationIds }: IntegrationIds = await gatehouse.applications.integrations.list(id);
 * ```
 */
export interface IntegrationIds {
  integrationIds: string[];
}

/**
 * Body of `applications.integrations.set`.
 *
 * @example
 * ```ts
 * const none: SetIntegrations = { integrationIds: [] };
 * ```
 */
export interface SetIntegrations {
  /** UUIDs, at most 500. */
  readonly integrationIds: readonly string[];
}
