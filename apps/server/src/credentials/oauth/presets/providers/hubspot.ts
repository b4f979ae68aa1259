import type { Preset } from '../preset.ts';

export const hubspot: Preset = {
  name: 'hubspot',
  title: 'HubSpot',
  hosts: ['mcp.hubspot.com'],
  registration: 'static',
  pkce: 'S256',
  errors: { BAD_AUTH_CODE: 'grant_rejected', BAD_REFRESH_TOKEN: 'grant_rejected' },
  help: {
    setup: 'Create an MCP auth app in the developer settings of your HubSpot account.',
    notes: ['The scopes are those of the app. Leave `scopes` empty.'],
  },
};
