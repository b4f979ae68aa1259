import type { Preset } from '../preset.ts';

export const dropbox: Preset = {
  name: 'dropbox',
  title: 'Dropbox',
  hosts: ['mcp.dropbox.com'],
  issuers: ['https://www.dropbox.com'],
  // Its metadata offers registration, which is refused to clients that Dropbox does not know.
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
  // Ends the refresh token too.
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
  sources: [
    'https://help.dropbox.com/integrations/connect-dropbox-mcp-server',
    'https://www.dropbox.com/developers/documentation/http/documentation',
  ],
  help: {
    appsUrl: 'https://www.dropbox.com/developers/apps',
    setup: 'Create an app with scoped access and choose its permissions.',
    notes: ['Add the scope `account_info.read` to see whose account is connected.'],
  },
};
