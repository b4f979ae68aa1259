/**
 * Every endpoint of the API, once: operation, method, path (relative to `/api/v1`), who may call it,
 * and how it treats `Idempotency-Key`. This file imports nothing, so a client can bundle it alone.
 *
 * `access`: `public` needs no token; `account` allows any token, including an invitation; `member`
 * allows any member of the organization (the rules of the resource check ownership); `admin` allows
 * admins and owners; `application` allows only access tokens with the scope `credentials` that were
 * issued to the application of the path.
 * `idempotency`: `key` replays the stored response for a repeated key, `none` has no replay.
 * Literal paths must come before parameters in the server's routers: Express matches in the order in
 * which a router lists its operations.
 */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Access = 'public' | 'account' | 'member' | 'admin' | 'application';
export type Idempotency = 'key' | 'none';

export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly access: Access;
  readonly idempotency: Idempotency;
  /** A query parameter that only admins and owners may set to `true`. */
  readonly adminParameter?: string;
}

export const routes = {
  integrations: {
    create: { method: 'POST', path: '/integrations', access: 'admin', idempotency: 'key' },
    list: { method: 'GET', path: '/integrations', access: 'member', idempotency: 'none' },
    discover: {
      method: 'POST',
      path: '/integrations/discover',
      access: 'admin',
      idempotency: 'none',
    },
    get: { method: 'GET', path: '/integrations/:id', access: 'member', idempotency: 'none' },
    update: { method: 'PATCH', path: '/integrations/:id', access: 'admin', idempotency: 'key' },
    archive: { method: 'DELETE', path: '/integrations/:id', access: 'admin', idempotency: 'key' },
    restore: {
      method: 'POST',
      path: '/integrations/:id/restore',
      access: 'admin',
      idempotency: 'key',
    },
    validate: {
      method: 'POST',
      path: '/integrations/:id/validate',
      access: 'admin',
      idempotency: 'none',
    },
    getOauth: {
      method: 'GET',
      path: '/integrations/:id/oauth',
      access: 'admin',
      idempotency: 'none',
    },
    putOauth: {
      method: 'PUT',
      path: '/integrations/:id/oauth',
      access: 'admin',
      idempotency: 'key',
    },
    deleteOauth: {
      method: 'DELETE',
      path: '/integrations/:id/oauth',
      access: 'admin',
      idempotency: 'key',
    },
    getPolicy: {
      method: 'GET',
      path: '/integrations/:id/policy',
      access: 'admin',
      idempotency: 'none',
    },
    putPolicy: {
      method: 'PUT',
      path: '/integrations/:id/policy',
      access: 'admin',
      idempotency: 'key',
    },
  },
  tools: {
    list: {
      method: 'GET',
      path: '/integrations/:id/tools',
      access: 'admin',
      idempotency: 'none',
    },
    approve: {
      method: 'POST',
      path: '/integrations/:id/tools/approve',
      access: 'admin',
      idempotency: 'key',
    },
    withdraw: {
      method: 'POST',
      path: '/integrations/:id/tools/withdraw',
      access: 'admin',
      idempotency: 'key',
    },
  },
  listings: {
    prompts: {
      method: 'GET',
      path: '/integrations/:id/prompts',
      access: 'admin',
      idempotency: 'none',
    },
    resources: {
      method: 'GET',
      path: '/integrations/:id/resources',
      access: 'admin',
      idempotency: 'none',
    },
  },
  connections: {
    set: {
      method: 'POST',
      path: '/integrations/:id/connection',
      access: 'member',
      idempotency: 'key',
    },
    get: {
      method: 'GET',
      path: '/integrations/:id/connection',
      access: 'member',
      idempotency: 'none',
    },
    delete: {
      method: 'DELETE',
      path: '/integrations/:id/connection',
      access: 'member',
      idempotency: 'key',
    },
    authorize: {
      method: 'POST',
      path: '/integrations/:id/connection/authorize',
      access: 'member',
      idempotency: 'key',
    },
    test: {
      method: 'POST',
      path: '/integrations/:id/connection/test',
      access: 'member',
      idempotency: 'none',
    },
    list: {
      method: 'GET',
      path: '/integrations/:id/connections',
      access: 'admin',
      idempotency: 'none',
    },
  },
  applications: {
    accessGraph: {
      method: 'GET',
      path: '/applications/access-graph',
      access: 'admin',
      idempotency: 'none',
    },
    whatIf: {
      method: 'POST',
      path: '/applications/access-graph/what-if',
      access: 'admin',
      idempotency: 'none',
    },
    create: { method: 'POST', path: '/applications', access: 'member', idempotency: 'key' },
    list: {
      method: 'GET',
      path: '/applications',
      access: 'member',
      idempotency: 'none',
      adminParameter: 'all',
    },
    get: { method: 'GET', path: '/applications/:id', access: 'member', idempotency: 'none' },
    update: { method: 'PATCH', path: '/applications/:id', access: 'member', idempotency: 'key' },
    archive: { method: 'DELETE', path: '/applications/:id', access: 'member', idempotency: 'key' },
    restore: {
      method: 'POST',
      path: '/applications/:id/restore',
      access: 'member',
      idempotency: 'key',
    },
    rotateSecret: {
      method: 'POST',
      path: '/applications/:id/rotate-secret',
      access: 'member',
      idempotency: 'key',
    },
    revokeAccess: {
      method: 'POST',
      path: '/applications/:id/revoke-access',
      access: 'member',
      idempotency: 'key',
    },
    getOauth: {
      method: 'GET',
      path: '/applications/:id/oauth',
      access: 'member',
      idempotency: 'none',
    },
    updateOauth: {
      method: 'PATCH',
      path: '/applications/:id/oauth',
      access: 'member',
      idempotency: 'key',
    },
    getAggregate: {
      method: 'GET',
      path: '/applications/:id/aggregate',
      access: 'member',
      idempotency: 'none',
    },
    listIntegrations: {
      method: 'GET',
      path: '/applications/:id/integrations',
      access: 'member',
      idempotency: 'none',
    },
    setIntegrations: {
      method: 'PUT',
      path: '/applications/:id/integrations',
      access: 'member',
      idempotency: 'key',
    },
    attachIntegration: {
      method: 'POST',
      path: '/applications/:id/integrations/:integrationId',
      access: 'member',
      idempotency: 'key',
    },
    updateIntegration: {
      method: 'PATCH',
      path: '/applications/:id/integrations/:integrationId',
      access: 'member',
      idempotency: 'key',
    },
    detachIntegration: {
      method: 'DELETE',
      path: '/applications/:id/integrations/:integrationId',
      access: 'member',
      idempotency: 'key',
    },
    getPolicy: {
      method: 'GET',
      path: '/applications/:id/integrations/:integrationId/policy',
      access: 'member',
      idempotency: 'none',
    },
    putPolicy: {
      method: 'PUT',
      path: '/applications/:id/integrations/:integrationId/policy',
      access: 'member',
      idempotency: 'key',
    },
  },
  credentials: {
    handOut: {
      method: 'POST',
      path: '/applications/:id/integrations/:integrationId/credential',
      access: 'application',
      idempotency: 'none',
    },
  },
  sessions: {
    list: {
      method: 'GET',
      path: '/applications/:id/sessions',
      access: 'member',
      idempotency: 'none',
    },
    revoke: {
      method: 'DELETE',
      path: '/applications/:id/sessions/:sessionId',
      access: 'member',
      idempotency: 'key',
    },
    listAll: { method: 'GET', path: '/sessions', access: 'member', idempotency: 'none' },
    end: { method: 'POST', path: '/sessions/end', access: 'member', idempotency: 'key' },
  },
  me: {
    get: { method: 'GET', path: '/me', access: 'account', idempotency: 'none' },
  },
  organization: {
    update: { method: 'PATCH', path: '/organization', access: 'admin', idempotency: 'key' },
  },
  tokens: {
    create: { method: 'POST', path: '/tokens', access: 'account', idempotency: 'key' },
    list: { method: 'GET', path: '/tokens', access: 'member', idempotency: 'none' },
    revoke: { method: 'DELETE', path: '/tokens/:id', access: 'member', idempotency: 'key' },
  },
  members: {
    create: { method: 'POST', path: '/members', access: 'admin', idempotency: 'key' },
    list: { method: 'GET', path: '/members', access: 'admin', idempotency: 'none' },
    update: { method: 'PATCH', path: '/members/:id', access: 'admin', idempotency: 'key' },
    remove: { method: 'DELETE', path: '/members/:id', access: 'admin', idempotency: 'key' },
    revokeAccess: {
      method: 'POST',
      path: '/members/:id/revoke-access',
      access: 'member',
      idempotency: 'key',
    },
    createSignInLink: {
      method: 'POST',
      path: '/members/:id/sign-in-link',
      access: 'admin',
      idempotency: 'key',
    },
    getAccess: {
      method: 'GET',
      path: '/members/:id/access',
      access: 'admin',
      idempotency: 'none',
    },
  },
  groups: {
    create: { method: 'POST', path: '/groups', access: 'admin', idempotency: 'key' },
    list: { method: 'GET', path: '/groups', access: 'member', idempotency: 'none' },
    get: { method: 'GET', path: '/groups/:id', access: 'member', idempotency: 'none' },
    update: { method: 'PATCH', path: '/groups/:id', access: 'admin', idempotency: 'key' },
    delete: { method: 'DELETE', path: '/groups/:id', access: 'admin', idempotency: 'key' },
    listMembers: {
      method: 'GET',
      path: '/groups/:id/members',
      access: 'admin',
      idempotency: 'none',
    },
    listPolicies: {
      method: 'GET',
      path: '/groups/:id/policies',
      access: 'admin',
      idempotency: 'none',
    },
    addMember: {
      method: 'PUT',
      path: '/groups/:id/members/:memberId',
      access: 'admin',
      idempotency: 'key',
    },
    removeMember: {
      method: 'DELETE',
      path: '/groups/:id/members/:memberId',
      access: 'admin',
      idempotency: 'key',
    },
  },
  grants: {
    list: { method: 'GET', path: '/grants', access: 'member', idempotency: 'none' },
    end: { method: 'DELETE', path: '/grants/:id', access: 'member', idempotency: 'key' },
  },
  overview: {
    get: { method: 'GET', path: '/overview', access: 'member', idempotency: 'none' },
  },
  auditEvents: {
    list: { method: 'GET', path: '/audit-events', access: 'admin', idempotency: 'none' },
    export: { method: 'GET', path: '/audit-events/export', access: 'admin', idempotency: 'none' },
    verification: {
      method: 'GET',
      path: '/audit-events/verification',
      access: 'admin',
      idempotency: 'none',
    },
    get: { method: 'GET', path: '/audit-events/:id', access: 'admin', idempotency: 'none' },
  },
  usage: {
    get: { method: 'GET', path: '/usage', access: 'member', idempotency: 'none' },
  },
  installation: {
    get: { method: 'GET', path: '/installation', access: 'admin', idempotency: 'none' },
  },
  openapi: {
    get: { method: 'GET', path: '/openapi.json', access: 'public', idempotency: 'none' },
  },
} as const satisfies Record<string, Record<string, Route>>;

export type Routes = typeof routes;
