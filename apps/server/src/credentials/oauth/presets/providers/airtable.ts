import type { Preset } from '../preset.ts';

export const airtable: Preset = {
  name: 'airtable',
  title: 'Airtable',
  hosts: ['mcp.airtable.com'],
  issuers: ['https://airtable.com/oauth2/v1'],
  registration: 'automatic',
  profile: {
    method: 'GET',
    url: 'https://api.airtable.com/v0/meta/whoami',
    paths: ['email', 'id'],
  },
  sources: [
    'https://support.airtable.com/articles/9897799762-using-the-airtable-mcp-server',
    'https://airtable.com/developers/web/api/oauth-reference',
    'https://airtable.com/.well-known/oauth-authorization-server/oauth2/v1',
  ],
  help: {
    notes: [
      'Access tokens live for an hour. Refresh tokens change each time and end after 60 days without use.',
      'An admin of the Airtable organization may have to allow the client that Gatehouse registers.',
      'Add the scope `user.email:read` to see whose account is connected.',
    ],
  },
};
