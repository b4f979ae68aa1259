import type { OrganizationResponse, UpdateOrganizationBody } from './account.ts';
import type {
  AuditEventPage,
  AuditEventResponse,
  AuditVerificationResponse,
  ExportAuditEventsQuery,
  ListAuditEventsQuery,
} from './audit-events.ts';
import type {
  AuthorizeConnectionBody,
  AuthorizeConnectionResponse,
  ConnectionResponse,
  ListConnectionsQuery,
  MemberConnectionPage,
  SetConnectionBody,
} from './connection.ts';
import type { DiscoverIntegrationBody, DiscoverIntegrationResponse } from './discovery.ts';
import type { GrantPage, ListGrantsQuery } from './grant.ts';
import type { GroupPoliciesResponse } from './group.ts';
import type { HandOutResponse } from './handed-out.ts';
import type { InstallationResponse } from './installation.ts';
import type { ValidateIntegrationResponse } from './integration.ts';
import type {
  IntegrationOauthConfigResponse,
  PutIntegrationOauthBody,
} from './integration-oauth.ts';
import type { JsonObject } from './json.ts';
import type { ListedPromptPage, ListedResourcePage } from './listing.ts';
import type { MemberAccessResponse } from './member-access.ts';
import type { OverviewResponse } from './overview.ts';
import type { PageQuery } from './pagination.ts';
import type {
  EndSessionsBody,
  EndSessionsResponse,
  ListAllSessionsQuery,
  SessionWithNamesPage,
} from './session.ts';
import type { CreateSignInLinkBody, SignInLinkResponse } from './sign-in-link.ts';
import type {
  ChangedToolsResponse,
  ListToolsQuery,
  ToolFingerprintsBody,
  ToolPage,
} from './tool.ts';
import type { WhatIfBody, WhatIfResponse } from './what-if.ts';

/**
 * The endpoints that no method covers, for `Gatehouse.request`, with what they take and return.
 */
export interface Endpoints {
  'POST /integrations/discover': {
    body: DiscoverIntegrationBody;
    response: DiscoverIntegrationResponse;
  };
  'GET /integrations/:id/oauth': { response: IntegrationOauthConfigResponse };
  'PUT /integrations/:id/oauth': {
    body: PutIntegrationOauthBody;
    response: IntegrationOauthConfigResponse;
  };
  'DELETE /integrations/:id/oauth': { response: undefined };
  'GET /integrations/:id/tools': { query: ListToolsQuery; response: ToolPage };
  'POST /integrations/:id/tools/approve': {
    body: ToolFingerprintsBody;
    response: ChangedToolsResponse;
  };
  'POST /integrations/:id/tools/withdraw': {
    body: ToolFingerprintsBody;
    response: ChangedToolsResponse;
  };
  'GET /integrations/:id/prompts': { query: PageQuery; response: ListedPromptPage };
  'GET /integrations/:id/resources': { query: PageQuery; response: ListedResourcePage };
  'POST /integrations/:id/connection': { body: SetConnectionBody; response: ConnectionResponse };
  'GET /integrations/:id/connection': { response: ConnectionResponse };
  'DELETE /integrations/:id/connection': { response: undefined };
  'POST /integrations/:id/connection/authorize': {
    optionalBody: AuthorizeConnectionBody;
    response: AuthorizeConnectionResponse;
  };
  'POST /integrations/:id/connection/test': { response: ValidateIntegrationResponse };
  'GET /integrations/:id/connections': {
    query: ListConnectionsQuery;
    response: MemberConnectionPage;
  };
  'POST /applications/access-graph/what-if': { body: WhatIfBody; response: WhatIfResponse };
  'POST /applications/:id/integrations/:integrationId/credential': { response: HandOutResponse };
  'GET /sessions': { query: ListAllSessionsQuery; response: SessionWithNamesPage };
  'POST /sessions/end': { body: EndSessionsBody; response: EndSessionsResponse };
  'PATCH /organization': { body: UpdateOrganizationBody; response: OrganizationResponse };
  'POST /members/:id/sign-in-link': {
    optionalBody: CreateSignInLinkBody;
    response: SignInLinkResponse;
  };
  'GET /members/:id/access': { response: MemberAccessResponse };
  'GET /groups/:id/policies': { response: GroupPoliciesResponse };
  'GET /grants': { query: ListGrantsQuery; response: GrantPage };
  'DELETE /grants/:id': { response: undefined };
  'GET /overview': { response: OverviewResponse };
  'GET /audit-events': { query: ListAuditEventsQuery; response: AuditEventPage };
  'GET /audit-events/export': { query: ExportAuditEventsQuery; response: string };
  'GET /audit-events/verification': { response: AuditVerificationResponse };
  'GET /audit-events/:id': { response: AuditEventResponse };
  'GET /installation': { response: InstallationResponse };
  'GET /openapi.json': { response: JsonObject };
}
