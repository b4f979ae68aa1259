import type { Connection } from './connection.ts';
import type { JsonObject } from './json.ts';
import type { Open } from './open.ts';
import type { PageQuery } from './pagination.ts';
import type { ValidationStage } from './validation.ts';

/**
 * `gateway_remote_mcp` is proxied by the gateway; `internal_mcp_credentials` only stores credentials.
 */
export type IntegrationCategory = 'gateway_remote_mcp' | 'internal_mcp_credentials';

/**
 * How users authenticate to an integration.
 */
export type AuthMode = 'oauth' | 'user_token' | 'server_token' | 'none';

/**
 * The result of the last validation.
 */
export type ValidationStatus = 'pending' | 'valid' | 'invalid';

/**
 * The OAuth configuration that every role may read.
 */
export interface IntegrationOauth {
  provider?: string;
  issuer?: string;
  /** Empty if there are no parameters. */
  scopes: string[];
}

/**
 * A remote MCP endpoint, or a credential-only entry, of the organization.
 */
export interface Integration {
  /** UUID. */
  id: string;
  name: string;
  url: string;
  category: Open<IntegrationCategory>;
  authMode: Open<AuthMode>;
  /** Present once configured, in any mode. */
  oauth?: IntegrationOauth;
  /** As written. `tools`, `resources` and `prompts` are the documented keys. */
  capabilities?: JsonObject;
  /** JSON Schema 2020-12 of the credential a user provides. */
  credentialSchema?: JsonObject;
  /** Whether a server token for the present `url` is stored. The token itself is never returned. */
  serverTokenConfigured: boolean;
  validationStatus: Open<ValidationStatus>;
  validationMessage?: string;
  /** ISO 8601. */
  lastValidatedAt?: string;
  /** How often the service validates it by itself; absent when it does not. */
  validateEveryMinutes?: number;
  /** The caller's connection, for the modes `user_token` and `oauth`. */
  userConnection?: Connection;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  updatedAt: string;
  /** ISO 8601; `null` unless archived. */
  archivedAt: string | null;
}

/**
 * A response with one integration.
 */
export interface IntegrationResponse {
  integration: Integration;
}

/**
 * The OAuth configuration of an integration that is created or updated.
 */
export interface IntegrationOauthInput {
  readonly provider?: string | undefined;
  readonly issuer?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
}

/**
 * Body of `integrations.create`.
 */
export interface CreateIntegrationBody {
  /** 1 to 200 characters. */
  readonly name: string;
  /** http(s), without userinfo and fragment. */
  readonly url: string;
  /** @defaultValue 'gateway_remote_mcp' */
  readonly category?: IntegrationCategory | undefined;
  /** @defaultValue 'none' */
  readonly authMode?: AuthMode | undefined;
  readonly oauth?: IntegrationOauthInput | undefined;
  readonly capabilities?: Readonly<JsonObject> | undefined;
  /** JSON Schema 2020-12 describing an object of string, number, integer or boolean properties. */
  readonly credentialSchema?: Readonly<JsonObject> | undefined;
  /** The organization's shared token; required when `authMode` is `server_token`. */
  readonly serverToken?: string | undefined;
  /** Lets the service validate it again by itself, every 5 to 10,080 minutes. */
  readonly validateEveryMinutes?: number | undefined;
}

/**
 * Body of `integrations.update`: omitted fields do not change, `null` clears a field, objects and
 * arrays are replaced.
 */
export interface UpdateIntegrationBody {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly category?: IntegrationCategory | undefined;
  readonly authMode?: AuthMode | undefined;
  readonly oauth?: IntegrationOauthInput | null | undefined;
  readonly capabilities?: Readonly<JsonObject> | null | undefined;
  readonly credentialSchema?: Readonly<JsonObject> | null | undefined;
  readonly serverToken?: string | null | undefined;
  readonly validateEveryMinutes?: number | null | undefined;
}

/**
 * Which integrations to list.
 */
export interface ListIntegrationsQuery extends PageQuery {
  /** Case-insensitive part of the name. */
  readonly name?: string | undefined;
  /** Whether to include archived ones. */
  readonly includeArchived?: boolean | undefined;
}

/**
 * The outcome of a validation.
 */
export interface ValidateIntegrationResponse {
  status: Open<ValidationStatus>;
  /** One sentence: what failed, which credential was used, and what to do. */
  message: string;
  /** Every stage in a fixed order, also those that were skipped. */
  stages: ValidationStage[];
}
