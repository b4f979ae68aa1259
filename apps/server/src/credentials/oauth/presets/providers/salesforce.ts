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
  // Its metadata offers registration, which makes clients for other flows.
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
  errors: { invalid_client_id: 'client_rejected' },
  sources: [
    'https://developer.salesforce.com/docs/platform/hosted-mcp-servers/guide/create-external-client-app.html',
    'https://login.salesforce.com/.well-known/openid-configuration',
    'https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_pkce.htm&language=en_US&type=5',
  ],
  help: {
    setup:
      'In Setup, create an External Client App with OAuth enabled and the scopes `mcp_api` and `refresh_token`, and activate the MCP servers. Set `issuer` to `https://login.salesforce.com` or, for a sandbox, to `https://test.salesforce.com`.',
    notes: [
      'For MCP servers that Salesforce does not host, `issuer` can be the My Domain URL too.',
      'Tokens come without an expiry, unless they are JWTs. Gatehouse refreshes them when Salesforce refuses them.',
      'Without the scope `refresh_token`, which Gatehouse adds, people connect again after each session.',
    ],
  },
};
