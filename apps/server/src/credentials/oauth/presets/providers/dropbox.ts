import type { Preset } from '../preset.ts';

export const dropbox: Preset = {
  name: 'dropbox',
  title: 'Dropbox',
  hosts: ['mcp.dropbox.com'],
  issuers: ['https://www.dropbox.com'],
  endpoints: {
    authorization: 'https://www.dropbox.com/oauth2/authorize',
    token: 'https://api.dropboxapi.com/oauth2/token',
  },
  registration: 'static',
  pkce: 'S256',
  resource: 'never',
  authMethod: 'client_secret_post',
  // Otherwise there is no refresh token.
  authorizationParams: { token_access_type: 'offline' },
  revocation: {
    method: 'POST',
    url: 'https://api.dropboxapi.com/2/auth/token/revoke',
    authentication: 'token',
  },
  profile: {
    method: 'POST',
    url: 'https://api.dropboxapi.com/2/users/get_current_account',
    paths: ['email', 'name.display_name'],
  },
  help: {
    appsUrl: 'https://www.dropbox.com/developers/apps',
    setup: 'Create an app with scoped access and choose its permissions.',
  },
};
