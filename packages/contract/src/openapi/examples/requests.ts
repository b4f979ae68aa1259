import type { JsonObject } from '../../shared/json.ts';

/** Example request bodies by operation. */
export const requestExamples: Readonly<Record<string, JsonObject>> = {
  'integrations.create': {
    name: 'Issue tracker',
    url: 'https://tracker.example/mcp',
    authMode: 'server_token',
    serverToken: 'tracker-token',
  },
  'integrations.update': { name: 'Issue tracker (EU)', validateEveryMinutes: 60 },
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
  'applications.update': { name: 'Editor (beta)' },
  'applications.updateOauth': { scopes: ['mcp'], allowDynamicClients: true },
  'applications.setIntegrations': {
    integrationIds: ['01936f6e-8c5f-7c1e-9d0a-3f6b5a2c4d10'],
  },
  'tokens.create': { name: 'CI', scopes: ['management:read'] },
  'members.update': { role: 'admin' },
  'members.createSignInLink': { purpose: 'reset' },
  'members.create': { email: 'ada@example.org', name: 'Ada', role: 'member' },
};
