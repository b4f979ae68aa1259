import type { JsonObject } from '../shared/json.ts';

/** Example request bodies by operation. */
export const requestExamples: Readonly<Record<string, JsonObject>> = {
  'integrations.create': {
    name: 'Issue tracker',
    url: 'https://tracker.example/mcp',
    authMode: 'server_token',
    serverToken: 'tracker-token',
  },
  'integrations.putOauth': {
    provider: 'example',
    issuer: 'https://id.example',
    scopes: ['openid', 'offline_access'],
    clientId: 'gatehouse',
    clientSecret: 'client-secret',
  },
  'integrations.discover': { url: 'https://tracker.example/mcp' },
  'connections.set': { token: 'personal-access-token' },
  'connections.authorize': { returnTo: 'https://app.example/settings#connections' },
  'applications.create': {
    name: 'Editor',
    oauth: { type: 'public', redirectUris: ['http://127.0.0.1/callback', 'editor://callback'] },
  },
  'applications.setIntegrations': {
    integrationIds: ['01936f6e-8c5f-7c1e-9d0a-3f6b5a2c4d10'],
  },
  'tokens.create': { name: 'CI', scopes: ['management:read'] },
  'members.create': { email: 'ada@example.org', name: 'Ada', role: 'member' },
};

/** Example responses by operation. */
export const responseExamples: Readonly<Record<string, JsonObject>> = {
  'integrations.get': {
    integration: {
      id: '01936f6e-8c5f-7c1e-9d0a-3f6b5a2c4d10',
      name: 'Issue tracker',
      url: 'https://tracker.example/mcp',
      category: 'gateway_remote_mcp',
      authMode: 'user_token',
      serverTokenConfigured: false,
      validationStatus: 'valid',
      validationMessage: 'The integration was reached and accepted your credential.',
      lastValidatedAt: '2026-11-21T09:30:00.000Z',
      userConnection: { connected: true, status: 'connected' },
      createdAt: '2026-11-20T16:04:12.511Z',
      updatedAt: '2026-11-21T09:12:45.020Z',
      archivedAt: null,
    },
  },
  'integrations.validate': {
    status: 'invalid',
    message: 'The integration refused the server token; set a new one.',
    stages: [
      { stage: 'address', status: 'passed', milliseconds: 4 },
      { stage: 'tls', status: 'passed', milliseconds: 38 },
      { stage: 'http', status: 'passed', milliseconds: 61 },
      { stage: 'mcp', status: 'skipped', code: 'not_reached', milliseconds: 0 },
      { stage: 'challenge', status: 'passed', milliseconds: 0 },
      { stage: 'discovery', status: 'skipped', code: 'not_needed', milliseconds: 0 },
      { stage: 'registration', status: 'skipped', code: 'not_needed', milliseconds: 0 },
      {
        stage: 'credential',
        status: 'failed',
        code: 'credential_rejected',
        milliseconds: 0,
        hint: 'Set another serverToken.',
      },
      { stage: 'tools', status: 'skipped', code: 'not_reached', milliseconds: 0 },
    ],
  },
  'integrations.discover': {
    discovery: {
      name: 'Tracker',
      era: 'modern',
      authentication: 'oauth',
      provider: null,
      issuer: 'https://id.tracker.example',
      scopes: ['issues:read'],
      registration: ['dynamic'],
    },
    integration: {
      name: 'Tracker',
      url: 'https://tracker.example/mcp',
      authMode: 'oauth',
      oauth: { issuer: 'https://id.tracker.example', scopes: ['issues:read'] },
    },
    status: 'pending',
    message: 'The server was reached and asks for OAuth; create the integration, then connect.',
    stages: [
      { stage: 'address', status: 'passed', milliseconds: 4 },
      { stage: 'tls', status: 'passed', milliseconds: 38 },
      { stage: 'http', status: 'passed', milliseconds: 61 },
      { stage: 'mcp', status: 'passed', milliseconds: 0 },
      { stage: 'challenge', status: 'passed', milliseconds: 0 },
      { stage: 'discovery', status: 'passed', milliseconds: 92 },
      { stage: 'registration', status: 'passed', milliseconds: 0 },
      { stage: 'credential', status: 'skipped', code: 'connection_required', milliseconds: 0 },
      { stage: 'tools', status: 'skipped', code: 'not_reached', milliseconds: 0 },
    ],
  },
  'connections.authorize': {
    authorizationUrl:
      'https://gatehouse.example/connect/Zk3pVt0y5wYQm1jH8sXrB2cLdE6nFuGaT9oKiRz7W4A',
    expiresAt: '2026-11-21T09:40:00.000Z',
  },
};
