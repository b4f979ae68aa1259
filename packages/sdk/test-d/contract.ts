// Proves the hand-written types equal to the contract's: one line for each operation. A failing line
// tells what differs: either the contract changed and the type must follow, or the method is bound to
// another operation.
import type { Contract, Problem as ContractProblem } from '@gatehouse/contract';
import type {
  Applications,
  Endpoints,
  Gatehouse,
  Groups,
  Integrations,
  Members,
  Problem,
  Tokens,
  Usage,
} from '@gatehouse/sdk';
import type { Assert, Equals, Shape, Wire } from './equality.ts';
import type { Fits, Serves } from './operation.ts';

type I = Contract['integrations'];
type A = Contract['applications'];
type S = Contract['sessions'];
type T = Contract['tokens'];
type M = Contract['members'];
type C = Contract['connections'];
type G = Contract['grants'];

export interface Pins {
  integrations: {
    create: Assert<Fits<Integrations['create'], I['create']>>;
    list: Assert<Fits<Integrations['list'], I['list']>>;
    get: Assert<Fits<Integrations['get'], I['get']>>;
    update: Assert<Fits<Integrations['update'], I['update']>>;
    archive: Assert<Fits<Integrations['archive'], I['archive']>>;
    restore: Assert<Fits<Integrations['restore'], I['restore']>>;
    validate: Assert<Fits<Integrations['validate'], I['validate']>>;
    discover: Assert<Serves<Endpoints['POST /integrations/discover'], I['discover']>>;
    getOauth: Assert<Serves<Endpoints['GET /integrations/:id/oauth'], I['getOauth']>>;
    putOauth: Assert<Serves<Endpoints['PUT /integrations/:id/oauth'], I['putOauth']>>;
    deleteOauth: Assert<Serves<Endpoints['DELETE /integrations/:id/oauth'], I['deleteOauth']>>;
    getPolicy: Assert<Fits<Integrations['policy']['get'], I['getPolicy']>>;
    putPolicy: Assert<Fits<Integrations['policy']['put'], I['putPolicy']>>;
  };
  tools: {
    list: Assert<Serves<Endpoints['GET /integrations/:id/tools'], Contract['tools']['list']>>;
    approve: Assert<
      Serves<Endpoints['POST /integrations/:id/tools/approve'], Contract['tools']['approve']>
    >;
    withdraw: Assert<
      Serves<Endpoints['POST /integrations/:id/tools/withdraw'], Contract['tools']['withdraw']>
    >;
  };
  listings: {
    prompts: Assert<
      Serves<Endpoints['GET /integrations/:id/prompts'], Contract['listings']['prompts']>
    >;
    resources: Assert<
      Serves<Endpoints['GET /integrations/:id/resources'], Contract['listings']['resources']>
    >;
  };
  connections: {
    set: Assert<Serves<Endpoints['POST /integrations/:id/connection'], C['set']>>;
    get: Assert<Serves<Endpoints['GET /integrations/:id/connection'], C['get']>>;
    delete: Assert<Serves<Endpoints['DELETE /integrations/:id/connection'], C['delete']>>;
    authorize: Assert<
      Serves<Endpoints['POST /integrations/:id/connection/authorize'], C['authorize']>
    >;
    test: Assert<Serves<Endpoints['POST /integrations/:id/connection/test'], C['test']>>;
    list: Assert<Serves<Endpoints['GET /integrations/:id/connections'], C['list']>>;
  };
  applications: {
    accessGraph: Assert<Fits<Applications['accessGraph'], A['accessGraph']>>;
    whatIf: Assert<Serves<Endpoints['POST /applications/access-graph/what-if'], A['whatIf']>>;
    create: Assert<Fits<Applications['create'], A['create']>>;
    list: Assert<Fits<Applications['list'], A['list']>>;
    get: Assert<Fits<Applications['get'], A['get']>>;
    update: Assert<Fits<Applications['update'], A['update']>>;
    archive: Assert<Fits<Applications['archive'], A['archive']>>;
    restore: Assert<Fits<Applications['restore'], A['restore']>>;
    rotateSecret: Assert<Fits<Applications['rotateSecret'], A['rotateSecret']>>;
    revokeAccess: Assert<Fits<Applications['revokeAccess'], A['revokeAccess']>>;
    getOauth: Assert<Fits<Applications['oauth']['get'], A['getOauth']>>;
    updateOauth: Assert<Fits<Applications['oauth']['update'], A['updateOauth']>>;
    getAggregate: Assert<Fits<Applications['aggregate']['get'], A['getAggregate']>>;
    listIntegrations: Assert<Fits<Applications['integrations']['list'], A['listIntegrations']>>;
    setIntegrations: Assert<Fits<Applications['integrations']['set'], A['setIntegrations']>>;
    attachIntegration: Assert<Fits<Applications['integrations']['attach'], A['attachIntegration']>>;
    updateIntegration: Assert<Fits<Applications['integrations']['update'], A['updateIntegration']>>;
    detachIntegration: Assert<Fits<Applications['integrations']['detach'], A['detachIntegration']>>;
    getPolicy: Assert<Fits<Applications['integrations']['policy']['get'], A['getPolicy']>>;
    putPolicy: Assert<Fits<Applications['integrations']['policy']['put'], A['putPolicy']>>;
  };
  credentials: {
    handOut: Assert<
      Serves<
        Endpoints['POST /applications/:id/integrations/:integrationId/credential'],
        Contract['credentials']['handOut']
      >
    >;
  };
  sessions: {
    list: Assert<Fits<Applications['sessions']['list'], S['list']>>;
    revoke: Assert<Fits<Applications['sessions']['revoke'], S['revoke']>>;
    listAll: Assert<Serves<Endpoints['GET /sessions'], S['listAll']>>;
    end: Assert<Serves<Endpoints['POST /sessions/end'], S['end']>>;
  };
  me: {
    get: Assert<Fits<Gatehouse['me'], Contract['me']['get']>>;
  };
  organization: {
    update: Assert<Serves<Endpoints['PATCH /organization'], Contract['organization']['update']>>;
  };
  tokens: {
    create: Assert<Fits<Tokens['create'], T['create']>>;
    list: Assert<Fits<Tokens['list'], T['list']>>;
    revoke: Assert<Fits<Tokens['revoke'], T['revoke']>>;
  };
  members: {
    create: Assert<Fits<Members['create'], M['create']>>;
    list: Assert<Fits<Members['list'], M['list']>>;
    update: Assert<Fits<Members['update'], M['update']>>;
    remove: Assert<Fits<Members['remove'], M['remove']>>;
    revokeAccess: Assert<Fits<Members['revokeAccess'], M['revokeAccess']>>;
    createSignInLink: Assert<
      Serves<Endpoints['POST /members/:id/sign-in-link'], M['createSignInLink']>
    >;
    getAccess: Assert<Serves<Endpoints['GET /members/:id/access'], M['getAccess']>>;
  };
  groups: {
    create: Assert<Fits<Groups['create'], Contract['groups']['create']>>;
    list: Assert<Fits<Groups['list'], Contract['groups']['list']>>;
    get: Assert<Fits<Groups['get'], Contract['groups']['get']>>;
    update: Assert<Fits<Groups['update'], Contract['groups']['update']>>;
    delete: Assert<Fits<Groups['delete'], Contract['groups']['delete']>>;
    listMembers: Assert<Fits<Groups['members']['list'], Contract['groups']['listMembers']>>;
    listPolicies: Assert<
      Serves<Endpoints['GET /groups/:id/policies'], Contract['groups']['listPolicies']>
    >;
    addMember: Assert<Fits<Groups['members']['add'], Contract['groups']['addMember']>>;
    removeMember: Assert<Fits<Groups['members']['remove'], Contract['groups']['removeMember']>>;
  };
  grants: {
    list: Assert<Serves<Endpoints['GET /grants'], G['list']>>;
    end: Assert<Serves<Endpoints['DELETE /grants/:id'], G['end']>>;
  };
  overview: {
    get: Assert<Serves<Endpoints['GET /overview'], Contract['overview']['get']>>;
  };
  auditEvents: {
    list: Assert<Serves<Endpoints['GET /audit-events'], Contract['auditEvents']['list']>>;
    export: Assert<
      Serves<Endpoints['GET /audit-events/export'], Contract['auditEvents']['export']>
    >;
    verification: Assert<
      Serves<Endpoints['GET /audit-events/verification'], Contract['auditEvents']['verification']>
    >;
    get: Assert<Serves<Endpoints['GET /audit-events/:id'], Contract['auditEvents']['get']>>;
  };
  usage: {
    get: Assert<Fits<Usage['get'], Contract['usage']['get']>>;
  };
  installation: {
    get: Assert<Serves<Endpoints['GET /installation'], Contract['installation']['get']>>;
  };
  openapi: {
    get: Assert<Serves<Endpoints['GET /openapi.json'], Contract['openapi']['get']>>;
  };
}

type Operations<Resources> = { readonly [Resource in keyof Resources]: keyof Resources[Resource] };

/** An operation of the contract that has no line above, or a line without an operation. */
export type Complete = Assert<Equals<Operations<Pins>, Operations<Contract>>>;

export type ProblemPin = Assert<Equals<Shape<Problem>, Shape<Wire<ContractProblem>>>>;
