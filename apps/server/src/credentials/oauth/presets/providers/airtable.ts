import type { Preset } from '../preset.ts';

export const airtable: Preset = {
  name: 'airtable',
  title: 'Airtable',
  hosts: ['mcp.airtable.com'],
  issuers: ['https://airtable.com'],
  endpoints: {
    authorization: 'https://airtable.com/oauth2/v1/authorize',
    token: 'https://airtable.com/oauth2/v1/token',
  },
  registration: 'static',
  pkce: 'S256',
  resource: 'never',
  authMethod: 'client_secret_basic',
  profile: {
    method: 'GET',
    url: 'https://api.airtable.com/v0/meta/whoami',
    paths: ['email', 'id'],
  },
  help: {
    appsUrl: 'https://airtable.com/create/oauth',
    setup: 'Register an OAuth integration, generate a client secret and choose its scopes.',
    notes: [
      'Access tokens live for an hour. Refresh tokens change each time and end after 60 days without use.',
      'Add the scope `user.email:read` to see whose account is connected.',
    ],
  },
};
