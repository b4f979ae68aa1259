import type * as z from 'zod';
import {
  accessGraphEdgeSchema,
  accessGraphSchema,
  accessPolicySchema,
} from '../applications/access-graph.schema.ts';
import {
  applicationIntegrationsResponseSchema,
  applicationPageSchema,
  applicationResponseSchema,
  applicationSchema,
  applicationWithSecretResponseSchema,
  attachedIntegrationSchema,
  createApplicationBodySchema,
  setApplicationIntegrationsBodySchema,
  updateApplicationBodySchema,
} from '../applications/applications.schema.ts';
import {
  applicationOauthInputSchema,
  applicationOauthResponseSchema,
  applicationOauthSchema,
  applicationOauthWithSecretSchema,
  clientTypeSchema,
  updateApplicationOauthBodySchema,
} from '../applications/oauth.schema.ts';
import {
  authorizeConnectionBodySchema,
  authorizeConnectionResponseSchema,
} from '../connections/authorize.schema.ts';
import {
  connectionResponseSchema,
  connectionSchema,
  revocationSchema,
  setConnectionBodySchema,
} from '../connections/connections.schema.ts';
import { grantPageSchema, grantSchema } from '../grants/grants.schema.ts';
import {
  discoverIntegrationBodySchema,
  discoverIntegrationResponseSchema,
  discoverySchema,
} from '../integrations/discovery.schema.ts';
import { authModeSchema, integrationCategorySchema } from '../integrations/integration-enums.ts';
import {
  createIntegrationBodySchema,
  integrationPageSchema,
  integrationResponseSchema,
  integrationSchema,
  updateIntegrationBodySchema,
} from '../integrations/integrations.schema.ts';
import {
  integrationOauthConfigResponseSchema,
  integrationOauthConfigSchema,
  integrationOauthInputSchema,
  integrationOauthSchema,
  putIntegrationOauthBodySchema,
  tokenEndpointAuthMethodSchema,
} from '../integrations/oauth.schema.ts';
import {
  authenticationSchema,
  meResponseSchema,
  organizationSchema,
  userSchema,
} from '../me/me.schema.ts';
import {
  createMemberBodySchema,
  createMemberResponseSchema,
  createSignInLinkBodySchema,
  memberPageSchema,
  memberResponseSchema,
  memberRoleSchema,
  memberSchema,
  removeMemberResponseSchema,
  signInLinkResponseSchema,
  updateMemberBodySchema,
} from '../members/members.schema.ts';
import { sessionPageSchema, sessionSchema } from '../sessions/sessions.schema.ts';
import { problemErrorSchema, problemSchema } from '../shared/problem.ts';
import { revokeAccessResponseSchema, revokedAccessSchema } from '../shared/revoked-access.ts';
import {
  validateIntegrationResponseSchema,
  validationStageSchema,
  validationStatusSchema,
} from '../shared/validation.ts';
import {
  createTokenBodySchema,
  createTokenResponseSchema,
  tokenPageSchema,
  tokenSchema,
  tokenScopeSchema,
} from '../tokens/tokens.schema.ts';
import { openApiResponseSchema } from './openapi.schema.ts';

type Components = Readonly<Record<string, z.ZodType>>;

const shared: Components = {
  IntegrationCategory: integrationCategorySchema,
  AuthMode: authModeSchema,
  TokenEndpointAuthMethod: tokenEndpointAuthMethodSchema,
  ClientType: clientTypeSchema,
  TokenScope: tokenScopeSchema,
  MemberRole: memberRoleSchema,
};

/** The named schemas of request bodies. */
export const requestComponents: Components = {
  ...shared,
  CreateIntegrationBody: createIntegrationBodySchema,
  UpdateIntegrationBody: updateIntegrationBodySchema,
  DiscoverIntegrationBody: discoverIntegrationBodySchema,
  IntegrationOauthInput: integrationOauthInputSchema,
  PutIntegrationOauthBody: putIntegrationOauthBodySchema,
  SetConnectionBody: setConnectionBodySchema,
  AuthorizeConnectionBody: authorizeConnectionBodySchema,
  CreateApplicationBody: createApplicationBodySchema,
  UpdateApplicationBody: updateApplicationBodySchema,
  ApplicationOauthInput: applicationOauthInputSchema,
  UpdateApplicationOauthBody: updateApplicationOauthBodySchema,
  SetApplicationIntegrationsBody: setApplicationIntegrationsBodySchema,
  CreateTokenBody: createTokenBodySchema,
  CreateMemberBody: createMemberBodySchema,
  UpdateMemberBody: updateMemberBodySchema,
  CreateSignInLinkBody: createSignInLinkBodySchema,
};

/** The named schemas of responses. */
export const responseComponents: Components = {
  ...shared,
  ValidationStatus: validationStatusSchema,
  Integration: integrationSchema,
  IntegrationResponse: integrationResponseSchema,
  IntegrationPage: integrationPageSchema,
  ValidateIntegrationResponse: validateIntegrationResponseSchema,
  ValidationStage: validationStageSchema,
  DiscoverIntegrationResponse: discoverIntegrationResponseSchema,
  Discovery: discoverySchema,
  IntegrationOauth: integrationOauthSchema,
  IntegrationOauthConfig: integrationOauthConfigSchema,
  IntegrationOauthConfigResponse: integrationOauthConfigResponseSchema,
  Connection: connectionSchema,
  ConnectionResponse: connectionResponseSchema,
  Revocation: revocationSchema,
  AuthorizeConnectionResponse: authorizeConnectionResponseSchema,
  AttachedIntegration: attachedIntegrationSchema,
  Application: applicationSchema,
  ApplicationResponse: applicationResponseSchema,
  ApplicationPage: applicationPageSchema,
  ApplicationWithSecretResponse: applicationWithSecretResponseSchema,
  ApplicationOauth: applicationOauthSchema,
  ApplicationOauthWithSecret: applicationOauthWithSecretSchema,
  ApplicationOauthResponse: applicationOauthResponseSchema,
  ApplicationIntegrationsResponse: applicationIntegrationsResponseSchema,
  AccessGraph: accessGraphSchema,
  AccessGraphEdge: accessGraphEdgeSchema,
  AccessPolicy: accessPolicySchema,
  Session: sessionSchema,
  SessionPage: sessionPageSchema,
  User: userSchema,
  Organization: organizationSchema,
  Authentication: authenticationSchema,
  Me: meResponseSchema,
  Token: tokenSchema,
  TokenPage: tokenPageSchema,
  CreateTokenResponse: createTokenResponseSchema,
  Member: memberSchema,
  MemberPage: memberPageSchema,
  MemberResponse: memberResponseSchema,
  CreateMemberResponse: createMemberResponseSchema,
  RemoveMemberResponse: removeMemberResponseSchema,
  SignInLinkResponse: signInLinkResponseSchema,
  RevokedAccess: revokedAccessSchema,
  RevokeAccessResponse: revokeAccessResponseSchema,
  Grant: grantSchema,
  GrantPage: grantPageSchema,
  OpenApiDocument: openApiResponseSchema,
  Problem: problemSchema,
  ProblemError: problemErrorSchema,
};
