import type { Preset } from '../preset.ts';

export const asana: Preset = {
  name: 'asana',
  title: 'Asana',
  hosts: ['mcp.asana.com'],
  issuers: ['https://app.asana.com'],
  endpoints: {
    authorization: 'https://app.asana.com/-/oauth_authorize',
    token: 'https://app.asana.com/-/oauth_token',
    revocation: 'https://app.asana.com/-/oauth_revoke',
  },
  registration: 'static',
  pkce: 'S256',
  authMethod: 'client_secret_post',
  accountPaths: ['data.email', 'data.name'],
  help: {
    appsUrl: 'https://app.asana.com/0/my-apps',
    setup: 'Create an app and allow it for the workspaces that use it.',
    notes: ['Access tokens live for an hour.'],
  },
};
