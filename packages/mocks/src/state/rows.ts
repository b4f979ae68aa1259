import type {
  Aggregate,
  AuditEvent,
  AuthMode,
  CallLimits,
  IntegrationCategory,
  JsonObject,
  MemberRole,
  ParsedApplicationOauthInput,
  SessionEra,
  SessionState,
  TokenEndpointAuthMethod,
  TokenScope,
  UsageOutcome,
  ValidationStage,
  ValidationStatus,
} from '@gatehouse/contract';

/** A timestamp as in responses: UTC, milliseconds, `Z`. */
type Instant = string;

export interface OrganizationRow {
  readonly id: string;
  readonly name: string;
}

export interface NodeRow {
  readonly id: string;
  /** Host and process. */
  readonly name: string;
  readonly version: string;
  readonly createdAt: Instant;
}

export interface UserRow {
  readonly id: string;
  readonly organizationId: string;
  readonly email: string;
  readonly name: string;
  readonly role: MemberRole;
  readonly createdAt: Instant;
}

export interface GroupRow {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly externalId: string | null;
  readonly memberIds: readonly string[];
  readonly version: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface TokenRow {
  readonly id: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly kind: 'personal' | 'invitation';
  readonly name: string;
  readonly secret: string;
  readonly scopes: readonly TokenScope[];
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly lastUsedAt: Instant | null;
  /** An invitation can create one token. */
  readonly isSpent: boolean;
}

/** The OAuth configuration of an integration without its secrets. */
export interface OauthConfig {
  readonly provider?: string | undefined;
  readonly issuer?: string | undefined;
  readonly scopes: readonly string[];
  readonly clientId?: string | undefined;
  readonly tokenEndpointAuthMethod?: TokenEndpointAuthMethod | undefined;
  readonly authorizationParams?: Record<string, string> | undefined;
  readonly tokenParamNames?: readonly string[] | undefined;
  readonly resource?: string | undefined;
}

export type SecretKind = 'server_token' | 'oauth_client_secret' | 'oauth_token_params';

export interface IntegrationRow {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly url: string;
  readonly category: IntegrationCategory;
  readonly authMode: AuthMode;
  readonly oauth: OauthConfig | null;
  readonly capabilities: JsonObject | null;
  readonly credentialSchema: JsonObject | null;
  /** The destination of each stored secret. The secrets themselves are not needed. */
  readonly secrets: ReadonlyMap<SecretKind, string>;
  readonly validationStatus: ValidationStatus;
  readonly validationMessage: string | null;
  /** Of the last validation; they count as long as it has a message. */
  readonly validationStages: readonly ValidationStage[];
  readonly lastValidatedAt: Instant | null;
  readonly certificateExpiresAt: Instant | null;
  readonly validateEveryMinutes: number | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly archivedAt: Instant | null;
  readonly version: number;
}

/** A definition of a tool, as the server of an integration has listed it. */
export interface ToolDefinitionRow {
  readonly integrationId: string;
  readonly name: string;
  readonly fingerprint: string;
  /** Null if it is too large to be shown. */
  readonly definition: JsonObject | null;
  readonly readOnly: boolean;
  readonly firstSeenAt: Instant;
  readonly lastSeenAt: Instant;
  readonly approvedAt: Instant | null;
  readonly approvedBy: string | null;
}

/** A prompt, a resource or a resource template, as a validation has listed it. */
export interface ListedEntryRow {
  readonly integrationId: string;
  readonly kind: 'prompt' | 'resource' | 'resource_template';
  /** The name of a prompt; the URI or URI template of the others. */
  readonly key: string;
  /** Null if it is too large to be shown. */
  readonly definition: JsonObject | null;
  readonly listedAt: Instant;
}

export type Credential =
  | { readonly token: string }
  | { readonly fields: Readonly<Record<string, string | number | boolean>> };

export interface ConnectionRow {
  readonly integrationId: string;
  readonly userId: string;
  readonly mode: 'user_token' | 'oauth';
  readonly destination: string;
  readonly credential: Credential;
  readonly reason: 'rejected_upstream' | 'needs_reauth' | null;
  readonly displayName: string | null;
  readonly expiresAt: Instant | null;
  readonly createdAt: Instant;
}

/** A link by which one user may connect one integration, once. */
export interface ConnectLinkRow {
  readonly secret: string;
  readonly integrationId: string;
  readonly userId: string;
  readonly returnTo: string | null;
  readonly expiresAt: Instant;
}

export interface ApplicationRow {
  readonly id: string;
  readonly organizationId: string;
  readonly ownerUserId: string;
  readonly name: string;
  readonly oauth: ParsedApplicationOauthInput;
  readonly limits: CallLimits | null;
  readonly aggregate: Aggregate;
  readonly clientSecret: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly archivedAt: Instant | null;
  readonly version: number;
}

export interface AttachmentRow {
  readonly id: string;
  readonly applicationId: string;
  readonly integrationId: string;
  readonly alias: string;
  readonly createdAt: Instant;
}

/** What OAuth would have left behind: one authorization of one client by one user. */
export interface GrantRow {
  readonly id: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly applicationId: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly resources: readonly string[];
  readonly scopes: readonly string[];
  /** How many tokens of it work. */
  readonly tokens: number;
  /** Whether the consent is remembered. */
  readonly isConsentKept: boolean;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
  readonly expiresAt: Instant;
}

/** An access token of an application's own client: of a grant, or of the application itself. */
export interface AccessTokenRow {
  readonly secret: string;
  readonly applicationId: string;
  readonly organizationId: string;
  /** Null for client credentials. */
  readonly grantId: string | null;
  readonly audience: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Instant;
}

/** The lease of a credential that was handed out. */
export interface LeaseRow {
  readonly id: string;
  readonly applicationId: string;
  readonly integrationId: string;
  /** The application that acted for itself, too. */
  readonly userId: string;
  /** The grant, or that application. */
  readonly tokenId: string;
  readonly era: 'modern';
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly endedAt: Instant | null;
  /** Revoked by itself: until then its grant gets no other one. */
  readonly refusedUntil: Instant | null;
}

/** A change or a call. */
export interface AuditEventRow {
  readonly organizationId: string;
  readonly event: AuditEvent;
  /** The ids of what the event is about, and of who did it. */
  readonly concerns: readonly string[];
}

/** Calls that went alike, and ended at the same moment. */
export interface UsedCallsRow {
  readonly applicationId: string;
  readonly integrationId: string;
  /** For client credentials, the application. */
  readonly userId: string;
  /** Empty if they called no tool. */
  readonly tool: string;
  readonly outcome: UsageOutcome;
  readonly count: number;
  /** Of each. */
  readonly ms: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly at: Instant;
}

export interface SessionRow {
  readonly id: string;
  readonly applicationId: string;
  readonly integrationId: string;
  readonly userId: string;
  readonly tokenId: string | null;
  /** Of a call in the console's playground. */
  readonly isOfConsole: boolean;
  readonly era: SessionEra;
  /** As stored. An open session may have expired since. */
  readonly state: SessionState;
  readonly live: boolean;
  readonly createdAt: Instant;
  readonly lastActivityAt: Instant;
  readonly endedAt: Instant | null;
}
