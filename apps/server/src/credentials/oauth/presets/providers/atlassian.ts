import type { Preset } from '../preset.ts';

export const atlassian: Preset = {
  name: 'atlassian',
  aliases: ['jira', 'confluence'],
  title: 'Atlassian',
  hosts: ['mcp.atlassian.com'],
  registration: 'automatic',
  refreshErrors: { unauthorized_client: 'grant_rejected' },
  help: {
    notes: [
      'Refresh tokens change each time and end after 90 days without use.',
      'An admin of the site may have to allow the app first.',
    ],
  },
};
