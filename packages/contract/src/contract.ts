import { applicationsContract } from './applications/applications.contract.ts';
import { auditEventsContract } from './audit-events/audit-events.contract.ts';
import { connectionsContract } from './connections/connections.contract.ts';
import { credentialsContract } from './credentials/credentials.contract.ts';
import { grantsContract } from './grants/grants.contract.ts';
import { groupsContract } from './groups/groups.contract.ts';
import { installationContract } from './installation/installation.contract.ts';
import { integrationsContract } from './integrations/integrations.contract.ts';
import { listingsContract } from './listings/listings.contract.ts';
import { meContract } from './me/me.contract.ts';
import { membersContract } from './members/members.contract.ts';
import { openapiContract } from './openapi/openapi.contract.ts';
import { organizationContract } from './organization/organization.contract.ts';
import { overviewContract } from './overview/overview.contract.ts';
import { sessionsContract } from './sessions/sessions.contract.ts';
import { tokensContract } from './tokens/tokens.contract.ts';
import { toolsContract } from './tools/tools.contract.ts';
import { usageContract } from './usage/usage.contract.ts';

/**
 * Written out, because the inferred type is too large for a declaration file. An alias, because an
 * interface does not match the index signature of a ts-rest router.
 */
export type Contract = {
  readonly integrations: typeof integrationsContract;
  readonly tools: typeof toolsContract;
  readonly listings: typeof listingsContract;
  readonly connections: typeof connectionsContract;
  readonly applications: typeof applicationsContract;
  readonly credentials: typeof credentialsContract;
  readonly sessions: typeof sessionsContract;
  readonly me: typeof meContract;
  readonly organization: typeof organizationContract;
  readonly tokens: typeof tokensContract;
  readonly members: typeof membersContract;
  readonly groups: typeof groupsContract;
  readonly grants: typeof grantsContract;
  readonly overview: typeof overviewContract;
  readonly auditEvents: typeof auditEventsContract;
  readonly usage: typeof usageContract;
  readonly installation: typeof installationContract;
  readonly openapi: typeof openapiContract;
};

/**
 * The whole API: one router per resource, keyed as in the route table. Paths are relative to
 * `/api/v1`; `metadata` of an entry is its route.
 */
export const contract: Contract = {
  integrations: integrationsContract,
  tools: toolsContract,
  listings: listingsContract,
  connections: connectionsContract,
  applications: applicationsContract,
  credentials: credentialsContract,
  sessions: sessionsContract,
  me: meContract,
  organization: organizationContract,
  tokens: tokensContract,
  members: membersContract,
  groups: groupsContract,
  grants: grantsContract,
  overview: overviewContract,
  auditEvents: auditEventsContract,
  usage: usageContract,
  installation: installationContract,
  openapi: openapiContract,
};
