import type { Connection } from './connection.ts';
import type { JsonObject } from './json.ts';
import type { Open } from './open.ts';
import type { PageQuery } from './pagination.ts';
import type { ValidationStage } from './validation.ts';

/**
 * What Gatehouse does for an integration.
 *
 * - `gateway_remote_mcp`: the gateway proxies calls to it and adds the credential.
 * - `internal_mcp_credentials`: credentials are stored, and no calls are proxied.
 */
export type IntegrationCategory = 'gateway_remote_mcp' | 'internal_mcp_credentials';

/**
 * How requests to an integration authenticate.
 *
 * - `oauth`: each user connects an account by OAuth. Gatehouse keeps, refreshes and revokes the tokens.
 * - `user_token`: each user enters an access token or API key.
 * - `server_token`: all users share one token, which an admin enters as `serverToken`.
 * - `none`: requests carry no credential.
 */
export type AuthMode = 'oauth' | 'user_token' | 'server_token' | 'none';

/**
 * The result of the last validation.
 *
 * - `pending`: not validated since the last change, or no credential is there to try.
 * - `valid`: it was reached, and took the credential.
 * - `invalid`: it was not reached, or refused the credential.
 */
export type ValidationStatus = 'pending' | 'valid' | 'invalid';

/**
 * The OAuth configuration that every role may read.
 */
export interface IntegrationOauth {
  /** The provider, as entered: a known name sets what it does differently. */
  provider?: string;
  /** The authorization server; absent when it is found out from `url`. */
  issuer?: string;
  /** The scopes that users are asked for. Empty: those that the MCP server names. */
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
  /** The stages of the last validation. Lists leave them out; absent while no validation counts. */
  validationStages?: ValidationStage[];
  /** ISO 8601. */
  lastValidatedAt?: string;
  /** When the TLS certificate of the server expires, as a validation saw it last. ISO 8601. */
  certificateExpiresAt?: string;
  /** How often the service validates it by itself; absent when it does not. */
  validateEveryMinutes?: number;
  /** The caller's connection, for the modes `user_token` and `oauth`. */
  userConnection?: Connection;
  /** How many members have connected it, with connections to renew; for owners and admins, in these modes. */
  connectionCount?: number;
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
 * The OAuth configuration of an integration that is created or updated. What is absent is found out from
 * `url`, so `{}` is enough for most MCP servers. A client id and secret are set by
 * `PUT /integrations/:id/oauth`.
 */
export interface IntegrationOauthInput {
  /** 1 to 100 characters: the name of a known provider, or any other. */
  readonly provider?: string | undefined;
  /** The URL of the authorization server, exactly as it spells itself. */
  readonly issuer?: string | undefined;
  /** At most 64. Absent: those that the MCP server names. */
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
  /** For the mode `oauth`. Absent: everything is found out from `url`. */
  readonly oauth?: IntegrationOauthInput | undefined;
  /** What the MCP server offers, as you describe it: `tools`, `resources` and `prompts` are the usual keys. */
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
  /** 1 to 200 characters. */
  readonly name?: string | undefined;
  /** http(s), without userinfo and fragment. Stored credentials are not sent to another origin. */
  readonly url?: string | undefined;
  /** Another one ends open sessions. */
  readonly category?: IntegrationCategory | undefined;
  /** Another one ends open sessions. `server_token` needs a token, stored or in the same body. */
  readonly authMode?: AuthMode | undefined;
  /**
   * Replaces `provider`, `issuer` and `scopes`, and keeps what `PUT /integrations/:id/oauth` has set beside
   * them. `null` removes all of it with the tokens of all users.
   */
  readonly oauth?: IntegrationOauthInput | null | undefined;
  /** What the MCP server offers, as you describe it. */
  readonly capabilities?: Readonly<JsonObject> | null | undefined;
  /** JSON Schema 2020-12 describing an object of string, number, integer or boolean properties. */
  readonly credentialSchema?: Readonly<JsonObject> | null | undefined;
  /** The organization's shared token. Required in the mode `server_token` when the origin of `url` changes. */
  readonly serverToken?: string | null | undefined;
  /** Lets the service validate it again by itself, every 5 to 10,080 minutes; `null` for never. */
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
