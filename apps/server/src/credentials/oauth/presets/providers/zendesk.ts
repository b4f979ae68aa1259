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
  // Seconds. Without these, tokens have no end and there is no refresh token.
  tokenParams: { expires_in: '172800', refresh_token_expires_in: '7776000' },
  revocation: {
    method: 'DELETE',
    url: '/api/v2/oauth/tokens/current.json',
    authentication: 'token',
  },
  profile: { method: 'GET', url: '/api/v2/users/me.json', paths: ['user.email', 'user.name'] },
  help: {
    appsUrl: 'https://support.zendesk.com/hc/en-us/articles/4408845965210',
    setup:
      'In the Admin Center, under "Apps and integrations", add an OAuth client. Set `issuer` to `https://<subdomain>.zendesk.com`.',
    notes: ['Scopes are words such as `read` and `write`.'],
  },
};
