import type { Preset } from '../preset.ts';

export const asana: Preset = {
  name: 'asana',
  title: 'Asana',
  hosts: ['mcp.asana.com'],
  issuers: ['https://app.asana.com'],
  registration: 'static',
  accountPaths: ['data.email', 'data.name'],
  sources: [
    'https://developers.asana.com/docs/integrating-with-asanas-mcp-server',
    'https://developers.asana.com/docs/oauth',
    'https://app.asana.com/.well-known/oauth-authorization-server',
  ],
  help: {
    appsUrl: 'https://app.asana.com/0/my-apps',
    setup:
      'Create an app of the type "MCP app". Under "Manage distribution", allow it for the workspaces that use it.',
    notes: [
      'Use `https://mcp.asana.com/v2/mcp`. The older `/sse` is no longer supported.',
      'Tokens of an MCP app work for the MCP server only. Access tokens live for an hour.',
    ],
  },
};
