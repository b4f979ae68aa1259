import type { Preset } from '../preset.ts';

export const salesforce: Preset = {
  name: 'salesforce',
  title: 'Salesforce',
  hosts: ['api.salesforce.com', '*.my.salesforce.com'],
  issuers: [
    'https://login.salesforce.com',
    'https://test.salesforce.com',
    'https://*.my.salesforce.com',
  ],
  endpoints: {
    authorization: '/services/oauth2/authorize',
    token: '/services/oauth2/token',
    revocation: '/services/oauth2/revoke',
    userinfo: '/services/oauth2/userinfo',
  },
  registration: 'static',
  pkce: 'S256',
  resource: 'never',
  authMethod: 'client_secret_post',
  requiredScopes: ['refresh_token'],
  errors: { invalid_client_id: 'client_rejected', redirect_uri_mismatch: 'redirect_uri_rejected' },
  help: {
    setup:
      'In Setup, create an External Client App with OAuth enabled. Set `issuer` to the My Domain URL, `https://login.salesforce.com` or, for a sandbox, `https://test.salesforce.com`.',
    notes: [
      'Tokens come without an expiry. Gatehouse refreshes them when Salesforce refuses them.',
      'Without the scope `refresh_token`, which Gatehouse adds, people connect again after each session.',
    ],
  },
};
