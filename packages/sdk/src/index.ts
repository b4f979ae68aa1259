// Everything exported here is public: names are never removed, and types only gain fields.

export type { ApiPromise, ApiResponse } from './calls/api-promise.ts';
export type { ListPromise, Page, ToArrayOptions } from './calls/pagination.ts';
export type {
  RequestArguments,
  RequestCall,
  RequestMethod,
  RequestPath,
  ResponseTo,
} from './calls/request.ts';
export { Gatehouse } from './client.ts';
export {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  isApiError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionDeniedError,
  PreconditionFailedError,
  RateLimitError,
  ServerError,
  UnprocessableContentError,
} from './errors/api-errors.ts';
export {
  AbortError,
  AccessTokenError,
  type ClientErrorCode,
  ConnectionError,
  GatehouseError,
  InvalidArgumentError,
  InvalidResponseError,
  isGatehouseError,
  RepeatedCursorError,
  TimeoutError,
} from './errors/errors.ts';
export type {
  AttemptEvent,
  Hooks,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
} from './options/hooks.ts';
export type { Logger, LogLevel } from './options/logging.ts';
export type {
  ConditionalOptions,
  Fetch,
  FetchOptions,
  GatehouseOptions,
  IdempotentOptions,
  RequestOptions,
  ResponseValidator,
  UpdateOptions,
  ValidatedResponse,
} from './options/options.ts';
export type { ApplicationAggregate } from './resources/application-aggregate.ts';
export type { ApplicationIntegrationPolicy } from './resources/application-integration-policy.ts';
export type { ApplicationIntegrations } from './resources/application-integrations.ts';
export type { ApplicationOauthClient } from './resources/application-oauth.ts';
export type { ApplicationSessions } from './resources/application-sessions.ts';
export type { Applications } from './resources/applications.ts';
export type { GroupMembers } from './resources/group-members.ts';
export type { Groups } from './resources/groups.ts';
export type { IntegrationPolicyRules } from './resources/integration-policy.ts';
export type { Integrations } from './resources/integrations.ts';
export type { Members } from './resources/members.ts';
export type { Tokens } from './resources/tokens.ts';
export type { Usage } from './resources/usage.ts';
export type {
  AccessGraph,
  AccessGraphApplication,
  AccessGraphEdge,
  AccessGraphIntegration,
  AccessGraphQuery,
  AccessGraphUse,
  AccessPolicy,
  AccessPolicyReason,
  AccessPolicyReasonCode,
} from './types/access-graph.ts';
export type {
  Authentication,
  AuthenticationMethod,
  Me,
  Organization,
  OrganizationResponse,
  UpdateOrganizationBody,
  User,
} from './types/account.ts';
export type {
  AggregateListState,
  AggregateState,
  LeftOutEntry,
  LeftOutReason,
  ListedIntegration,
} from './types/aggregate-state.ts';
export type {
  Aggregate,
  AggregateInput,
  Application,
  ApplicationIntegrationsResponse,
  ApplicationResponse,
  ApplicationWithSecretResponse,
  AttachedIntegration,
  AttachedIntegrationResponse,
  CreateApplicationBody,
  ListApplicationsQuery,
  SetApplicationIntegrationsBody,
  UpdateApplicationBody,
  UpdateAttachedIntegrationBody,
} from './types/application.ts';
export type {
  ApplicationOauth,
  ApplicationOauthInput,
  ApplicationOauthResponse,
  ApplicationOauthWithSecret,
  ClientType,
  UpdateApplicationOauthBody,
} from './types/application-oauth.ts';
export type {
  AuditActor,
  AuditActorKind,
  AuditEvent,
  AuditEventKind,
  AuditEventPage,
  AuditEventResponse,
  AuditFinding,
  AuditTarget,
  AuditVerdict,
  AuditVerification,
  AuditVerificationResponse,
  ExportAuditEventsQuery,
  ListAuditEventsQuery,
} from './types/audit-events.ts';
export type {
  AuthorizeConnectionBody,
  AuthorizeConnectionResponse,
  Connection,
  ConnectionReason,
  ConnectionResponse,
  ConnectionStatus,
  ListConnectionsQuery,
  MemberConnection,
  MemberConnectionPage,
  Revocation,
  RevocationStatus,
  SetConnectionBody,
} from './types/connection.ts';
export type {
  ClientRegistration,
  DiscoverIntegrationBody,
  DiscoverIntegrationResponse,
  Discovery,
  SuggestedIntegration,
} from './types/discovery.ts';
export type { Endpoints } from './types/endpoints.ts';
export type { Grant, GrantPage, ListGrantsQuery } from './types/grant.ts';
export type {
  CreateGroupBody,
  Group,
  GroupPoliciesResponse,
  GroupPolicy,
  GroupResponse,
  ListGroupMembersQuery,
  ListGroupsQuery,
  UpdateGroupBody,
} from './types/group.ts';
export type { CredentialLease, HandedOutCredential, HandOutResponse } from './types/handed-out.ts';
export type {
  Installation,
  InstallationKey,
  InstallationLimit,
  InstallationNode,
  InstallationResponse,
  InstallationSetting,
} from './types/installation.ts';
export type {
  AuthMode,
  CreateIntegrationBody,
  Integration,
  IntegrationCategory,
  IntegrationOauth,
  IntegrationOauthInput,
  IntegrationResponse,
  ListIntegrationsQuery,
  UpdateIntegrationBody,
  ValidateIntegrationResponse,
  ValidationStatus,
} from './types/integration.ts';
export type {
  IntegrationOauthConfig,
  IntegrationOauthConfigResponse,
  PutIntegrationOauthBody,
  TokenEndpointAuthMethod,
} from './types/integration-oauth.ts';
export type { JsonObject, JsonValue } from './types/json.ts';
export type {
  ListedPrompt,
  ListedPromptPage,
  ListedResource,
  ListedResourcePage,
} from './types/listing.ts';
export type {
  CreateMemberBody,
  CreateMemberResponse,
  ListMembersQuery,
  Member,
  MemberResponse,
  MemberRole,
  RemoveMemberResponse,
  UpdateMemberBody,
} from './types/member.ts';
export type {
  MemberAccess,
  MemberAccessResponse,
  NamedRow,
  NamingPolicy,
  Newest,
  OwnedApplication,
} from './types/member-access.ts';
export type { Open } from './types/open.ts';
export type { Needs, Overview, OverviewAttention, OverviewResponse } from './types/overview.ts';
export type { PageQuery } from './types/pagination.ts';
export type {
  CallLimits,
  CallLimitsInput,
  IntegrationPolicy,
  IntegrationPolicyInput,
  IntegrationPolicyResponse,
  NameRules,
  NameRulesInput,
  Policy,
  PolicyInput,
  PolicyResponse,
  ToolRules,
  ToolRulesInput,
} from './types/policy.ts';
export type { PolicyReason, PolicyReasonCode } from './types/policy-reason.ts';
export type { Problem, ProblemCode, ProblemError } from './types/problem.ts';
export type { RevokeAccessResponse, RevokedAccess } from './types/revoked-access.ts';
export type {
  EndedSessions,
  EndSessionsBody,
  EndSessionsResponse,
  ListAllSessionsQuery,
  ListSessionsQuery,
  Session,
  SessionEra,
  SessionKind,
  SessionState,
  SessionsFilter,
  SessionWithNames,
  SessionWithNamesPage,
} from './types/session.ts';
export type { CreateSignInLinkBody, SignInLinkResponse } from './types/sign-in-link.ts';
export type {
  CreateTokenBody,
  CreateTokenResponse,
  ListTokensQuery,
  Token,
  TokenScope,
} from './types/token.ts';
export type {
  ChangedToolsResponse,
  ListToolsQuery,
  Tool,
  ToolApproval,
  ToolChange,
  ToolFingerprintsBody,
  ToolPage,
} from './types/tool.ts';
export type {
  UsagePoint,
  UsageQuery,
  UsageResponse,
  UsageSeries,
  UsageTotal,
} from './types/usage.ts';
export type {
  StageCode,
  StageStatus,
  ValidationStage,
  ValidationStageName,
} from './types/validation.ts';
export type {
  WhatIfBody,
  WhatIfChange,
  WhatIfEdge,
  WhatIfPerson,
  WhatIfResponse,
  WhatIfTool,
  WhatIfTools,
  WhatIfTotal,
} from './types/what-if.ts';
