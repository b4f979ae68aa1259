import type { Preset } from '../preset.ts';

export const gitlab: Preset = {
  name: 'gitlab',
  title: 'GitLab',
  hosts: ['gitlab.com'],
  issuers: ['https://gitlab.com'],
  registration: 'automatic',
  profile: { method: 'GET', url: '/api/v4/user', paths: ['username'] },
  sources: [
    'https://docs.gitlab.com/user/model_context_protocol/mcp_server/',
    'https://docs.gitlab.com/api/oauth2/',
    'https://gitlab.com/.well-known/oauth-authorization-server',
  ],
  help: {
    appsUrl: 'https://gitlab.com/-/user_settings/applications',
    setup:
      'On GitLab.com an owner of the top-level group allows access to the MCP server. An application is needed only for scopes other than `mcp`: create one, and set `clientId` and `clientSecret`.',
    notes: ['Access tokens live for two hours and refresh tokens change each time.'],
  },
};
