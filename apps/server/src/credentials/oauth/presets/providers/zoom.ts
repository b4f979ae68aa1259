import type { Preset } from '../preset.ts';

export const zoom: Preset = {
  name: 'zoom',
  title: 'Zoom',
  hosts: ['mcp.zoom.us'],
  issuers: ['https://zoom.us'],
  // Its metadata has no endpoint for revocation.
  endpoints: {
    authorization: 'https://zoom.us/oauth/authorize',
    token: 'https://zoom.us/oauth/token',
    revocation: 'https://zoom.us/oauth/revoke',
  },
  registration: 'static',
  pkce: 'S256',
  resource: 'never',
  authMethod: 'client_secret_basic',
  profile: { method: 'GET', url: 'https://api.zoom.us/v2/users/me', paths: ['email'] },
  sources: [
    'https://developers.zoom.us/docs/mcp/servers/connect-to-zoom-mcp-servers/',
    'https://developers.zoom.us/docs/integrations/oauth/',
  ],
  help: {
    appsUrl: 'https://marketplace.zoom.us/develop/create',
    setup: 'Create a general app, managed by users, and add its scopes.',
    notes: ['Refresh tokens change each time and end after about 90 days.'],
  },
};
