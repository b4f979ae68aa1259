import type {
  ApplicationOauth,
  ApplicationOauthInput,
  ApplicationOauthWithSecret,
} from './application-oauth.ts';
import type { AuthMode, IntegrationCategory, ValidationStatus } from './integration.ts';
import type { Open } from './open.ts';
import type { PageQuery } from './pagination.ts';
import type { CallLimits, CallLimitsInput } from './policy.ts';

/**
 * An integration that is attached to an application.
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
  /** What the names of its tools and prompts begin with; unique in the application. */
  alias: string;
  /** Where MCP clients reach it through this application; `null` when it is not proxied. */
  mcpUrl: string | null;
}

/**
 * How the one URL of an application serves all its integrations. With `search`, tools are searched for instead of listed.
 */
export interface Aggregate {
  mode: Open<'list' | 'search' | 'off'>;
  /** Characters of the longest name of a tool or prompt. */
  nameLength: number;
}

/**
 * What to change of an {@link Aggregate}: omitted fields do not change.
 */
export interface AggregateInput {
  /** `list` lists everything, `search` has tools searched for, `off` ends the URL. */
  readonly mode?: 'list' | 'search' | 'off' | undefined;
  /** 32 to 64. */
  readonly nameLength?: number | undefined;
}

/**
 * An OAuth client that integrations are attached to.
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
  /** Open sessions with a stream or a request in progress. */
  liveSessionCount: number;
  /** All sessions, in any state. */
  totalSessionCount: number;
  /** ISO 8601. When a client other than the console first opened a session; `null` before that. */
  firstCallAt: string | null;
  /** How often all its callers together may call; `null` without limits. */
  limits: CallLimits | null;
  /** How its one URL serves its integrations. */
  aggregate: Aggregate;
  /** Where MCP clients reach all its integrations; `null` when that is off, and when archived. */
  mcpUrl: string | null;
  /** RFC 6570 template with the variable `integrationId`; `null` when archived. */
  mcpUrlTemplate: string | null;
  integrations: AttachedIntegration[];
  oauth: ApplicationOauth | null;
}

/**
 * A response with one application.
 */
export interface ApplicationResponse {
  application: Application;
}

/**
 * The response of `applications.create` and `applications.rotateSecret`.
 */
export interface ApplicationWithSecretResponse {
  application: Application;
  /** The only response that contains the client secret. */
  oauth: ApplicationOauthWithSecret;
}

/**
 * Body of `applications.create`.
 */
export interface CreateApplicationBody {
  /** 1 to 200 characters. */
  readonly name: string;
  /** How it is a client of the authorization server. */
  readonly oauth: ApplicationOauthInput;
  /** How often all its callers together may call. */
  readonly limits?: CallLimitsInput | null | undefined;
}

/**
 * Body of `applications.update`: omitted fields do not change.
 */
export interface UpdateApplicationBody {
  /** 1 to 200 characters. */
  readonly name?: string | undefined;
  /** How often all its callers together may call, as a whole; `null` or `{}` removes the limits. */
  readonly limits?: CallLimitsInput | null | undefined;
  /** How its one URL serves its integrations. */
  readonly aggregate?: AggregateInput | undefined;
}

/**
 * Which applications to list.
 */
export interface ListApplicationsQuery extends PageQuery {
  /** Whether to list the whole organization, not only the caller's own. For admins and owners. */
  readonly all?: boolean | undefined;
  /** Whether to include archived ones. */
  readonly includeArchived?: boolean | undefined;
}

/**
 * The integrations attached to an application.
 */
export interface ApplicationIntegrationsResponse {
  integrationIds: string[];
}

/**
 * The response of `applications.integrations.update`.
 */
export interface AttachedIntegrationResponse {
  integration: AttachedIntegration;
}

/**
 * Body of `applications.integrations.update`.
 */
export interface UpdateAttachedIntegrationBody {
  /** At most 16 of `a` to `z`, `0` to `9` and `-`, and unique in the application. Empty: names stay as they are. */
  readonly alias?: string | undefined;
}

/**
 * Body of `applications.integrations.set`.
 */
export interface SetApplicationIntegrationsBody {
  /** UUIDs, at most 500. */
  readonly integrationIds: readonly string[];
}
