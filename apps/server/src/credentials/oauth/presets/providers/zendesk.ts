import type { Preset } from '../preset.ts';

export const zendesk: Preset = {
  name: 'zendesk',
  title: 'Zendesk',
  hosts: ['*.zendesk.com'],
  issuers: ['https://*.zendesk.com'],
  endpoints: { authorization: '/oauth/authorizations/new', token: '/oauth/tokens' },
  registration: 'static',
  pkce: 'S256',
  resource: 'never',
  authMethod: 'client_secret_post',
  // Seconds, each less than 2 and 90 days. Otherwise access tokens may have no end.
  tokenParams: { expires_in: '86400', refresh_token_expires_in: '7689600' },
  revocation: {
    method: 'DELETE',
    url: '/api/v2/oauth/tokens/current.json',
    authentication: 'token',
  },
  profile: { method: 'GET', url: '/api/v2/users/me.json', paths: ['user.email', 'user.name'] },
  sources: [
    'https://support.zendesk.com/hc/en-us/articles/4408845965210',
    'https://developer.zendesk.com/api-reference/ticketing/oauth/grant_type_tokens/',
    'https://developer.zendesk.com/documentation/api-basics/authentication/revoking-oauth-token',
  ],
  help: {
    setup:
      'In the Admin Center, under "Apps and integrations", add an OAuth client. Set `issuer` to `https://<subdomain>.zendesk.com`.',
    notes: [
      'Scopes are words such as `read` and `write`, or one of an API, such as `tickets:read`.',
      'Refresh tokens change each time and end after 89 days.',
      'When people disconnect, Zendesk may not end tokens without the scope `write`.',
    ],
  },
};
