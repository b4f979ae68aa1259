import type { Preset } from '../preset.ts';

export const box: Preset = {
  name: 'box',
  title: 'Box',
  hosts: ['mcp.box.com'],
  issuers: ['https://account.box.com'],
  endpoints: {
    authorization: 'https://account.box.com/api/oauth2/authorize',
    token: 'https://api.box.com/oauth2/token',
    revocation: 'https://api.box.com/oauth2/revoke',
  },
  registration: 'static',
  pkce: 'off',
  resource: 'never',
  authMethod: 'client_secret_post',
  profile: { method: 'GET', url: 'https://api.box.com/2.0/users/me', paths: ['login', 'name'] },
  help: {
    appsUrl: 'https://app.box.com/developers/console',
    setup: 'Create a custom app with user authentication (OAuth 2.0).',
    notes: ['Refresh tokens change each time and end after 60 days without use.'],
  },
};
