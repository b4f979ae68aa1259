import type { Preset } from '../preset.ts';

export const atlassian: Preset = {
  name: 'atlassian',
  aliases: ['jira', 'confluence'],
  title: 'Atlassian',
  hosts: ['mcp.atlassian.com'],
  registration: 'automatic',
  refreshErrors: { unauthorized_client: 'grant_rejected' },
  sources: [
    'https://support.atlassian.com/atlassian-rovo-mcp-server/docs/getting-started-with-the-atlassian-remote-mcp-server/',
    'https://support.atlassian.com/security-and-access-policies/docs/available-atlassian-mcp-server-domains/',
    'https://github.com/atlassian/atlassian-mcp-server/issues/12',
  ],
  help: {
    setup:
      'In Atlassian Administration, under "Rovo MCP server", an organization admin adds the redirect URI to the allowed domains.',
    appsUrl: 'https://admin.atlassian.com',
    notes: [
      'Refresh tokens change each time.',
      'A site admin may also have to allow apps that users install.',
    ],
  },
};
