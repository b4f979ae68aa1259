import type { JsonObject } from '../shared/json.ts';

/** What the examples of responses are about. */
export const ids = {
  integration: '01936f6e-8c5f-7c1e-9d0a-3f6b5a2c4d10',
  application: '01936f70-11f4-7b52-8a3e-5d8c9f0e2b41',
  user: '01936f6d-02a7-7f10-b1c4-6e9d8a7b5c32',
};

const names = {
  id: ids.integration,
  name: 'Issue tracker',
  category: 'gateway_remote_mcp',
  authMode: 'user_token',
  validationStatus: 'valid',
  archivedAt: null,
};

export const integration = {
  ...names,
  url: 'https://tracker.example/mcp',
  serverTokenConfigured: false,
  validationMessage: 'The integration was reached and accepted your credential.',
  lastValidatedAt: '2026-11-21T09:30:00.000Z',
  certificateExpiresAt: '2027-02-14T23:59:59.000Z',
  userConnection: { connected: true, status: 'connected' },
  connectionCount: 12,
  createdAt: '2026-11-20T16:04:12.511Z',
  updatedAt: '2026-11-21T09:12:45.020Z',
};

export const integrationOauthConfig = {
  provider: 'example',
  issuer: 'https://id.example',
  scopes: ['openid', 'offline_access'],
  clientId: 'gatehouse',
  clientSecretConfigured: true,
  tokenEndpointAuthMethod: 'client_secret_basic',
  redirectUri: `https://gatehouse.example/oauth/callback/${ids.integration}`,
};

export const applicationOauth = {
  type: 'confidential',
  redirectUris: ['https://editor.example/callback'],
  pkceRequired: true,
  scopes: ['mcp'],
  allowedResources: [],
  allowDynamicClients: false,
  clientId: ids.application,
  clientSecretConfigured: true,
};

export const attachedIntegration = {
  ...names,
  attachedAt: '2026-11-21T10:02:07.440Z',
  alias: 'issue-tracker',
  mcpUrl: `https://gatehouse.example/mcp/${ids.application}/${ids.integration}`,
};

export const aggregateState = {
  integrations: [
    {
      id: ids.integration,
      alias: attachedIntegration.alias,
      state: 'ok',
      counts: { tools: 14, prompts: 2, resources: 0, resourceTemplates: 1 },
    },
  ],
  leftOut: [
    {
      integrationId: ids.integration,
      kind: 'tool',
      name: 'issue_read',
      reason: 'name_not_unique',
    },
  ],
};

export const application = {
  id: ids.application,
  name: 'Editor',
  ownerUserId: ids.user,
  createdAt: '2026-11-20T16:10:31.002Z',
  updatedAt: '2026-11-21T10:02:07.440Z',
  archivedAt: null,
  canModify: true,
  activeSessionCount: 2,
  idleSessionCount: 1,
  liveSessionCount: 1,
  totalSessionCount: 14,
  firstCallAt: '2026-11-20T16:12:40.117Z',
  limits: { perMinute: 600 },
  aggregate: { mode: 'list', nameLength: 64 },
  mcpUrl: `https://gatehouse.example/mcp/${ids.application}`,
  mcpUrlTemplate: `https://gatehouse.example/mcp/${ids.application}/{integrationId}`,
  integrations: [attachedIntegration],
  oauth: applicationOauth,
};

export const policy = {
  groups: ['01936f84-7c20-7d51-9a4e-8b6f5d3c2a16'],
  tools: { allow: ['issue_*', 'search'], deny: ['issue_delete'] },
  limits: { perMinute: 60, concurrent: 5 },
};

export const integrationPolicy = {
  tools: { deny: ['*_delete'] },
  perApplication: { [ids.application]: { roles: ['admin', 'owner'] } },
};

export const accessGraph = {
  applications: [{ id: ids.application, name: 'Editor', ownerUserId: ids.user, archivedAt: null }],
  integrations: [names],
  edges: [
    {
      applicationId: ids.application,
      integrationId: ids.integration,
      attachedAt: '2026-11-21T10:02:07.440Z',
      use: 'called_through',
      policy: { allowed: true, reasons: [], tools: { allowed: 3, total: 5 } },
    },
  ],
  truncated: false,
  nextCursor: null,
};

const edge = { applicationId: ids.application, integrationId: ids.integration };

export const whatIf = {
  edges: { gained: [], lost: [edge], total: { gained: 0, lost: 1 } },
  tools: {
    gained: [],
    lost: [{ ...edge, name: 'delete_issue' }],
    total: { gained: 0, lost: 1 },
    truncated: false,
    changed: [{ ...edge, allowed: { before: 1, after: 0 }, total: 1 }],
  },
  people: {
    gained: [],
    lost: [{ ...edge, userId: ids.user }],
    total: { gained: 0, lost: 1 },
  },
};

export const session = {
  kind: 'session',
  id: '01936f80-5d21-7a94-9c3b-0f4e7d6a8b52',
  integrationId: ids.integration,
  userId: ids.user,
  era: 'modern',
  state: 'open',
  live: false,
  createdAt: '2026-11-21T10:15:22.118Z',
  lastActivityAt: '2026-11-21T10:41:09.370Z',
  endedAt: null,
  expiresAt: null,
};

export const sessionWithNames = {
  ...session,
  applicationId: ids.application,
  applicationName: 'Editor',
  integrationName: names.name,
  userName: 'Ada',
};

export const memberConnection = {
  userId: ids.user,
  userName: 'Ada',
  userEmail: 'ada@example.org',
  mode: 'oauth',
  connected: true,
  status: 'connected',
  createdAt: '2026-11-20T16:20:47.930Z',
  refreshedAt: '2026-11-21T09:55:12.006Z',
};

export const handedOut = {
  credential: {
    headers: [{ name: 'authorization', value: 'Bearer EXAMPLE' }],
    token: 'EXAMPLE',
  },
  lease: {
    id: '01936f81-0b5e-7c37-a6d2-8f1e3b9c5a74',
    expiresAt: '2026-11-21T10:46:09.370Z',
  },
};

export const me = {
  user: { id: ids.user, email: 'ada@example.org', name: 'Ada', role: 'admin' },
  organization: { id: '01936f6c-9e03-7d48-a5b7-2c1f0e9d8a63', name: 'Example' },
  authentication: {
    method: 'personal_token',
    tokenId: '01936f7a-7b30-7e65-8d12-4a3b2c1d0e74',
    scopes: ['management:read', 'management:write'],
  },
};

export const token = {
  id: '01936f7a-7b30-7e65-8d12-4a3b2c1d0e74',
  name: 'CI',
  scopes: ['management:read'],
  createdAt: '2026-11-20T17:00:00.250Z',
  expiresAt: '2027-11-20T00:00:00.000Z',
  lastUsedAt: '2026-11-21T09:58:00.000Z',
};

export const member = {
  id: ids.user,
  email: 'ada@example.org',
  name: 'Ada',
  role: 'member',
  createdAt: '2026-11-20T15:58:40.907Z',
};

export const group = {
  id: '01936f7e-4a61-7c29-8f0b-6d5e4c3b2a19',
  name: 'Support',
  externalId: null,
  createdAt: '2026-11-20T16:30:05.318Z',
  updatedAt: '2026-11-20T16:30:05.318Z',
};

export const groupPolicy = {
  integrationId: integration.id,
  integrationName: integration.name,
  applicationId: null,
  applicationName: null,
};

const fingerprint = '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae';

export const tool = {
  name: 'issue_read',
  state: 'approved',
  fingerprint,
  approved: [{ fingerprint, approvedAt: '2026-11-21T09:40:00.000Z', approvedBy: ids.user }],
  readOnly: true,
  definition: {
    name: 'issue_read',
    description: 'Reads an issue.',
    inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
    annotations: { readOnlyHint: true },
  },
  changes: [],
  firstSeenAt: '2026-11-21T09:30:00.000Z',
  lastSeenAt: '2026-11-21T09:30:00.000Z',
};

const listedAt = '2026-11-21T09:30:00.000Z';

export const listedPrompt = {
  name: 'triage',
  definition: {
    name: 'triage',
    description: 'Sorts new issues.',
    arguments: [{ name: 'project', required: true }],
  },
  listedAt,
};

export const listedResource = {
  kind: 'resource_template',
  uri: 'issue://{id}',
  definition: { uriTemplate: 'issue://{id}', name: 'Issue', mimeType: 'text/markdown' },
  listedAt,
};

export const grant = {
  id: '01936f82-3c94-7b06-b8e1-9d7f5a4c3e85',
  applicationId: ids.application,
  applicationName: 'Editor',
  clientId: ids.application,
  resources: [`https://gatehouse.example/mcp/${ids.application}/${ids.integration}`],
  scopes: ['mcp'],
  createdAt: '2026-11-21T10:15:20.640Z',
  lastUsedAt: '2026-11-21T10:41:00.000Z',
  expiresAt: '2026-12-21T10:15:20.640Z',
};

const named = (id: string, name: string) => ({ total: 1, items: [{ id, name }] });
const tracker = named(ids.integration, names.name);

export const memberAccess = {
  connections: tracker,
  tokens: named(token.id, token.name),
  grants: named(grant.id, grant.applicationName),
  grantTokens: 2,
  consents: 1,
  sessions: { sessions: 1, leases: 0, streams: 0 },
  recentSessions: [sessionWithNames],
  groups: named(group.id, group.name),
  applications: {
    total: 1,
    items: [{ id: ids.application, name: 'Editor', clientSecretConfigured: true }],
  },
  rules: {
    total: 1,
    items: [
      {
        integrationId: ids.integration,
        integrationName: names.name,
        applicationId: null,
        applicationName: null,
      },
    ],
  },
};

export const installation = {
  versions: {
    gatehouse: '1.4.0',
    build: { commit: '3f9c1e7a', committedAt: '2026-01-12T09:30:00.000Z' },
    node: '22.12.0',
  },
  publicUrl: 'https://gatehouse.example',
  logLevel: 'info',
  store: { kind: 'postgresql', version: '17.2' },
  nodes: [
    {
      id: '01936f88-1d47-7b93-a0c5-6e4f3d2b1a08',
      name: 'gatehouse-1:7',
      version: '1.4.0',
      startedAt: '2026-11-21T08:00:04.127Z',
      lastSeenAt: '2026-11-21T10:41:00.000Z',
      answering: true,
    },
  ],
  keys: {
    source: 'environment',
    encryption: [{ id: '2026-11-20-1f8a04c2', active: true, addedAt: '2026-11-20T15:58:40.000Z' }],
  },
  signIn: { ways: ['password', 'link'], issuer: null, groupsClaim: false },
  limits: [{ name: 'managementRequests', value: 600, unit: 'requests_per_minute' }],
  settings: [{ name: 'managementRequests', variable: 'GATEHOUSE_RATE_LIMIT', page: 'run/limits' }],
};

export const revoked = { tokens: 4, grants: 2, consents: 1, sessions: 3, leases: 1, streams: 1 };

export const connected = {
  connection: { connected: true, status: 'connected', displayName: 'ada@tracker.example' },
};

export const applicationWithSecret = {
  application,
  oauth: { ...applicationOauth, clientSecret: 'gh_cs_EXAMPLE' },
};

export const page = (item: JsonObject): JsonObject => ({ items: [item], nextCursor: null });
