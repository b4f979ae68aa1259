import type { Preset } from '../preset.ts';

export const box: Preset = {
  name: 'box',
  title: 'Box',
  hosts: ['mcp.box.com'],
  issuers: ['https://api.box.com'],
  registration: 'static',
  resource: 'never',
  profile: { method: 'GET', url: 'https://api.box.com/2.0/users/me', paths: ['login', 'name'] },
  sources: [
    'https://developer.box.com/guides/box-mcp/setup',
    'https://developer.box.com/guides/authentication/tokens/refresh',
    'https://api.box.com/.well-known/oauth-authorization-server',
  ],
  help: {
    appsUrl: 'https://app.box.com/master/integrations',
    setup:
      'In the Admin Console, under "Integrations", an admin configures "Box MCP server" and adds integration credentials.',
    notes: ['Refresh tokens change each time and end after 60 days without use.'],
  },
};
