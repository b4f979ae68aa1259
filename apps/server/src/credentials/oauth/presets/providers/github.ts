import type { Preset } from '../preset.ts';

export const github: Preset = {
  name: 'github',
  title: 'GitHub',
  hosts: ['api.githubcopilot.com'],
  issuers: ['https://github.com/login/oauth'],
  // Its metadata lists neither PKCE nor client authentication, and scopes of another flow.
  endpoints: {
    authorization: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
  },
  registration: 'static',
  pkce: 'S256',
  authMethod: 'client_secret_post',
  errors: {
    bad_verification_code: 'grant_rejected',
    bad_refresh_token: 'grant_rejected',
    incorrect_client_credentials: 'client_rejected',
    unverified_user_email: 'access_denied',
  },
  revocation: {
    method: 'DELETE',
    url: 'https://api.github.com/applications/{clientId}/token',
    authentication: 'client',
    field: 'access_token',
  },
  profile: { method: 'GET', url: 'https://api.github.com/user', paths: ['login'] },
  sources: [
    'https://github.com/github/github-mcp-server/blob/main/docs/host-integration.md',
    'https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps',
    'https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors',
    'https://docs.github.com/en/rest/apps/oauth-applications#delete-an-app-token',
  ],
  help: {
    appsUrl: 'https://github.com/settings/developers',
    setup: 'Create an OAuth app, or a GitHub App with expiring user tokens.',
    notes: [
      'Tokens of an OAuth app do not expire. Those of a GitHub App do and are refreshed.',
      'An organization may have to approve the app before its repositories can be reached.',
    ],
  },
};
