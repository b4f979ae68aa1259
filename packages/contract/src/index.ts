export {
  type AccessGraph,
  type AccessGraphEdge,
  type AccessGraphQuery,
  type AccessGraphQueryInput,
  type AccessGraphUse,
  type AccessPolicy,
  type AccessPolicyReasonCode,
  accessGraphEdgeSchema,
  accessGraphQuerySchema,
  accessGraphSchema,
  accessPolicyReasonCodeSchema,
  accessPolicySchema,
} from './applications/access-graph.schema.ts';
export {
  type Aggregate,
  type AggregateInput,
  type AggregateListState,
  type AggregateMode,
  type AggregateState,
  aggregateInputSchema,
  aggregateModes,
  aggregateSchema,
  type LeftOutReason,
} from './applications/aggregate.schema.ts';
export {
  type Application,
  type ApplicationIntegrationsResponse,
  type ApplicationWithSecretResponse,
  type AttachedIntegration,
  type AttachedIntegrationResponse,
  applicationIntegrationsResponseSchema,
  applicationPageSchema,
  applicationResponseSchema,
  applicationSchema,
  applicationWithSecretResponseSchema,
  attachedIntegrationResponseSchema,
  attachedIntegrationSchema,
  attachmentParamsSchema,
  type CreateApplicationBody,
  createApplicationBodySchema,
  type ListApplicationsQuery,
  type ListApplicationsQueryInput,
  listApplicationsQuerySchema,
  type ParsedCreateApplicationBody,
  type SetApplicationIntegrationsBody,
  setApplicationIntegrationsBodySchema,
  type UpdateApplicationBody,
  type UpdateAttachedIntegrationBody,
  updateApplicationBodySchema,
  updateAttachedIntegrationBodySchema,
} from './applications/applications.schema.ts';
export {
  type ApplicationOauth,
  type ApplicationOauthInput,
  type ApplicationOauthWithSecret,
  applicationOauthInputSchema,
  applicationOauthResponseSchema,
  applicationOauthSchema,
  applicationOauthWithSecretSchema,
  type ClientType,
  clientTypeSchema,
  type ParsedApplicationOauthInput,
  type UpdateApplicationOauthBody,
  updateApplicationOauthBodySchema,
} from './applications/oauth.schema.ts';
export {
  type WhatIfBody,
  type WhatIfBodyInput,
  type WhatIfChange,
  type WhatIfResponse,
  whatIfBodySchema,
  whatIfResponseSchema,
} from './applications/what-if.schema.ts';
// biome-ignore lint/performance/noReExportAll: with all names of all folders this list would be too long.
export * from './audit-events/index.ts';
export {
  type AuthorizeConnectionBody,
  type AuthorizeConnectionResponse,
  authorizeConnectionBodySchema,
  authorizeConnectionResponseSchema,
} from './connections/authorize.schema.ts';
export {
  type Connection,
  type ConnectionReason,
  type ConnectionStatus,
  connectionReasonSchema,
  connectionResponseSchema,
  connectionSchema,
  connectionStatusSchema,
  type Revocation,
  type RevocationStatus,
  revocationSchema,
  revocationStatusSchema,
  type SetConnectionBody,
  setConnectionBodySchema,
} from './connections/connections.schema.ts';
export type { ListConnectionsQuery, MemberConnection } from './connections/list.schema.ts';
export { type ConsoleToken, consoleTokenBodySchema } from './console/console.schema.ts';
export { type Contract, contract } from './contract.ts';
export {
  type CredentialLease,
  credentialLeaseSchema,
  type HandedOutCredential,
  type HandOutResponse,
  handedOutCredentialSchema,
  handOutResponseSchema,
} from './credentials/credentials.schema.ts';
// biome-ignore lint/performance/noReExportAll: with all names of all folders this list would be too long.
export * from './events/index.ts';
export {
  type Grant,
  grantPageSchema,
  grantSchema,
  listGrantsQuerySchema,
} from './grants/grants.schema.ts';
export {
  type CreateGroupBody,
  createGroupBodySchema,
  type Group,
  type GroupPolicy,
  groupMemberParamsSchema,
  groupPageSchema,
  groupPoliciesResponseSchema,
  groupResponseSchema,
  groupSchema,
  listGroupsQuerySchema,
  type UpdateGroupBody,
  updateGroupBodySchema,
} from './groups/groups.schema.ts';
// biome-ignore lint/performance/noReExportAll: with all names of all folders this list would be too long.
export * from './installation/index.ts';
export { credentialSchemaSchema } from './integrations/credential-schema.ts';
export {
  type ClientRegistration,
  clientRegistrationSchema,
  type DiscoverIntegrationBody,
  type DiscoverIntegrationResponse,
  type Discovery,
  discoverIntegrationBodySchema,
  discoverIntegrationResponseSchema,
  discoverySchema,
  type SuggestedIntegration,
  suggestedIntegrationSchema,
} from './integrations/discovery.schema.ts';
export {
  type AuthMode,
  authModeSchema,
  type IntegrationCategory,
  integrationCategorySchema,
} from './integrations/integration-enums.ts';
export {
  type CreateIntegrationBody,
  createIntegrationBodySchema,
  type Integration,
  integrationPageSchema,
  integrationResponseSchema,
  integrationSchema,
  type ListIntegrationsQuery,
  type ListIntegrationsQueryInput,
  listIntegrationsQuerySchema,
  type ParsedCreateIntegrationBody,
  type UpdateIntegrationBody,
  updateIntegrationBodySchema,
} from './integrations/integrations.schema.ts';
export { type KnownServer, knownServers } from './integrations/known-servers.ts';
export {
  type IntegrationOauth,
  type IntegrationOauthConfig,
  type IntegrationOauthInput,
  integrationOauthConfigResponseSchema,
  integrationOauthConfigSchema,
  integrationOauthInputSchema,
  integrationOauthSchema,
  type PutIntegrationOauthBody,
  putIntegrationOauthBodySchema,
  type TokenEndpointAuthMethod,
  tokenEndpointAuthMethodSchema,
} from './integrations/oauth.schema.ts';
export {
  type ListedPrompt,
  type ListedResource,
  listedPromptPageSchema,
  listedResourcePageSchema,
} from './listings/listings.schema.ts';
export {
  type Authentication,
  type AuthenticationMethod,
  authenticationMethodSchema,
  authenticationSchema,
  type Me,
  meResponseSchema,
  type Organization,
  organizationSchema,
  type User,
  userSchema,
} from './me/me.schema.ts';
export type { MemberAccess } from './members/access.schema.ts';
export {
  type CreateMemberBody,
  type CreateMemberResponse,
  type CreateSignInLinkBody,
  createMemberBodySchema,
  createMemberResponseSchema,
  createSignInLinkBodySchema,
  listMembersQuerySchema,
  type Member,
  type MemberRole,
  memberPageSchema,
  memberResponseSchema,
  memberRoleSchema,
  memberSchema,
  type RemoveMemberResponse,
  removeMemberResponseSchema,
  type SignInLinkResponse,
  signInLinkResponseSchema,
  type UpdateMemberBody,
  updateMemberBodySchema,
} from './members/members.schema.ts';
export { buildOpenApiDocument, type OpenApiOptions } from './openapi/document.ts';
export { openApiResponseSchema } from './openapi/openapi.schema.ts';
export {
  type OrganizationResponse,
  organizationResponseSchema,
  type UpdateOrganizationBody,
  updateOrganizationBodySchema,
} from './organization/organization.schema.ts';
export type { Overview } from './overview/overview.schema.ts';
// biome-ignore lint/performance/noReExportAll: with all names of all folders this list would be too long.
export * from './policies/index.ts';
export {
  type Access,
  type Idempotency,
  type Method,
  type Route,
  type Routes,
  routes,
} from './routes.ts';
export { type AccessReasonCode, accessReasonMessages } from './rules/access-reasons.ts';
export { aliasFor, slugOf } from './rules/alias.ts';
export { changedAggregate } from './rules/changed-aggregate.ts';
export { credentialErrorMessage } from './rules/credential-errors.ts';
export {
  type CredentialChoice,
  type CredentialField,
  credentialBodyOf,
  credentialFieldsOf,
} from './rules/credential-fields.ts';
export { credentialHeaders } from './rules/credential-headers.ts';
export {
  CANNOT_SEND_TOKEN,
  type CredentialProperty,
  canSendToken,
  credentialProperties,
  tokenProperty,
} from './rules/credential-properties.ts';
export {
  type CredentialPropertyType,
  credentialPropertyKeyword,
  credentialPropertyValue,
} from './rules/credential-property.ts';
export {
  type FieldsError,
  findFieldsError,
} from './rules/credential-schema/find-fields-error.ts';
export { subschemas } from './rules/credential-schema/subschemas.ts';
export type { PatternMatcher } from './rules/credential-schema/work.ts';
export {
  type DestinationSettings,
  oauthClientDestination,
  oauthDestination,
  presentDestination,
  tokenDestination,
} from './rules/destinations.ts';
// biome-ignore lint/performance/noReExportAll: with all names of all folders this list would be too long.
export * from './rules/failures/index.ts';
export { fittingApplications } from './rules/fitting-applications.ts';
export { fixedFieldErrors } from './rules/fixed-fields.ts';
export { type GatewayChange, gatewayChanges, isPassedHeader } from './rules/gateway-changes.ts';
// biome-ignore lint/performance/noReExportAll: with each table of labels this list would be too long.
export * from './rules/labels.ts';
export { lifetimes } from './rules/lifetimes.ts';
export { isOauthConfigured } from './rules/oauth-configured.ts';
export { isOnOwnHost, OWN_HOST_DENIED } from './rules/own-host.ts';
// biome-ignore lint/performance/noReExportAll: with all names of all folders this list would be too long.
export * from './rules/policy/index.ts';
export { namingRedirectUri, REDIRECT_URI, redirectUriAt } from './rules/redirect-uri.ts';
export { mustConnectText, notAggregateText, refusalTexts } from './rules/refusal-texts.ts';
export { secretPrefixes } from './rules/secret-prefixes.ts';
export { installationSettings } from './rules/settings.ts';
// biome-ignore lint/performance/noReExportAll: with all names of all folders this list would be too long.
export * from './sessions/index.ts';
export { emptyBodySchema } from './shared/bodies.ts';
export type {
  ContractRequest,
  ContractResponse,
  ContractRoute,
} from './shared/contract-route.ts';
export {
  credentialValueSchema,
  idempotencyKeyPattern,
  isCredentialHeader,
  isHeaderValue,
  requestIdPattern,
} from './shared/headers.ts';
export { idParamSchema, idParamsSchema, idSchema } from './shared/ids.ts';
export type { SchemaIssue } from './shared/issue-messages.ts';
export { type RequestIssues, type RequestProblem, requestProblem } from './shared/issues.ts';
export { isJsonObject, type JsonObject, type JsonValue } from './shared/json.ts';
export { isJsonContentType, JsonBodyError, parseJsonBody } from './shared/json-body.ts';
export { jsonPointer } from './shared/json-pointer.ts';
export { limits } from './shared/limits.ts';
export {
  flagSchema,
  limitSchema,
  type Page,
  type PageQuery,
  type PageQueryInput,
  pageQuerySchema,
  pageSchema,
} from './shared/pagination.ts';
export {
  type PeopleReasonCode,
  type PolicyLevelName,
  type PolicyReason,
  type PolicyReasonCode,
  policyLevelNames,
  policyReasonCodes,
  policyReasonSchema,
} from './shared/policy-reason.ts';
export {
  PROBLEM_CONTENT_TYPE,
  type Problem,
  type ProblemError,
  problemCodeSchema,
  problemErrorSchema,
  problemSchema,
  problemType,
} from './shared/problem.ts';
export {
  isProblemCode,
  type ProblemCode,
  type ProblemStatus,
  problemCodes,
} from './shared/problem-codes.ts';
export {
  type RevokeAccessResponse,
  type RevokedAccess,
  revokeAccessResponseSchema,
  revokedAccessSchema,
} from './shared/revoked-access.ts';
export { nameSchema } from './shared/text.ts';
export {
  httpUrlSchema,
  issuerSchema,
  redirectUriSchema,
  resourceUriSchema,
  returnUrlSchema,
} from './shared/uris.ts';
export {
  type StageCode,
  type StageStatus,
  stageCodeSchema,
  stageStatusSchema,
  type ValidateIntegrationResponse,
  type ValidationStage,
  type ValidationStageName,
  type ValidationStatus,
  validateIntegrationResponseSchema,
  validationStageNameSchema,
  validationStageSchema,
  validationStatusSchema,
} from './shared/validation.ts';
export {
  type CreateTokenBody,
  type CreateTokenResponse,
  createTokenBodySchema,
  createTokenResponseSchema,
  listTokensQuerySchema,
  type Token,
  type TokenScope,
  tokenPageSchema,
  tokenSchema,
  tokenScopeSchema,
} from './tokens/tokens.schema.ts';
export {
  changedToolsResponseSchema,
  type ListToolsQuery,
  listToolsQuerySchema,
  type Tool,
  type ToolApproval,
  type ToolChange,
  type ToolFingerprintsBody,
  type ToolState,
  toolFingerprintsBodySchema,
  toolPageSchema,
  toolSchema,
} from './tools/tools.schema.ts';
// biome-ignore lint/performance/noReExportAll: as above.
export * from './usage/index.ts';
