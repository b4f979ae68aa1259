import type { Preset } from '../preset.ts';

export const hubspot: Preset = {
  name: 'hubspot',
  title: 'HubSpot',
  hosts: ['mcp.hubspot.com'],
  issuers: ['https://mcp.hubspot.com'],
  registration: 'static',
  errors: { BAD_AUTH_CODE: 'grant_rejected', BAD_REFRESH_TOKEN: 'grant_rejected' },
  sources: [
    'https://developers.hubspot.com/docs/apps/developer-platform/build-apps/integrate-with-hubspot-mcp-server',
    'https://mcp.hubspot.com/.well-known/oauth-authorization-server',
    'https://nango.dev/blog/hubspot-oauth-bad-refresh-token',
  ],
  help: {
    appsUrl: 'https://app.hubspot.com/l/mcp-auth-apps/',
    setup:
      'In HubSpot, under "Development", create an MCP auth app. Use `https://mcp.hubspot.com` as the URL of the MCP server.',
    notes: [
      'The scopes are those of the app and of the person. Leave `scopes` empty.',
      'The MCP server refuses tokens of other HubSpot apps.',
      'An admin of the account connects first.',
    ],
  },
};
