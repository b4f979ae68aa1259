import type { Preset } from '../preset.ts';

export const discord: Preset = {
  name: 'discord',
  title: 'Discord',
  hosts: ['discord.com'],
  issuers: ['https://discord.com'],
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
  help: {
    appsUrl: 'https://discord.com/developers/applications',
    setup: 'Create an application and add the redirect under "OAuth2".',
    notes: ['Add the scope `identify` to see whose account is connected.'],
  },
};
