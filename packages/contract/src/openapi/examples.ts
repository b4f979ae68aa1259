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
  'connections.set': { token: 'personal-access-token' },
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
  },
};
