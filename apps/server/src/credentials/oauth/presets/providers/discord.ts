import type { Preset } from '../preset.ts';

export const discord: Preset = {
  name: 'discord',
  title: 'Discord',
  hosts: ['discord.com'],
  issuers: ['https://discord.com'],
  // Its metadata has no endpoint for revocation.
  endpoints: {
    authorization: 'https://discord.com/oauth2/authorize',
    token: 'https://discord.com/api/oauth2/token',
    revocation: 'https://discord.com/api/oauth2/token/revoke',
  },
  registration: 'static',
  pkce: 'S256',
  resource: 'never',
  authMethod: 'client_secret_basic',
  profile: { method: 'GET', url: 'https://discord.com/api/users/@me', paths: ['username'] },
  sources: ['https://docs.discord.com/developers/topics/oauth2'],
  help: {
    appsUrl: 'https://discord.com/developers/applications',
    setup: 'Create an application and add the redirect under "OAuth2".',
    notes: [
      'Discord has no MCP server of its own. Use this for servers that take tokens of Discord.',
      'Add the scope `identify` to see whose account is connected.',
    ],
  },
};
