import type { Preset } from '../preset.ts';

export const slack: Preset = {
  name: 'slack',
  title: 'Slack',
  hosts: ['mcp.slack.com'],
  issuers: ['https://mcp.slack.com', 'https://slack.com'],
  // The metadata of slack.com describes "Sign in with Slack", whose tokens reach no API.
  endpoints: {
    authorization: 'https://slack.com/oauth/v2_user/authorize',
    token: 'https://slack.com/api/oauth.v2.user.access',
  },
  registration: 'static',
  scopeSeparator: ',',
  // It has to be enabled in the app, which for good makes it a public client, with refresh tokens of 30 days.
  pkce: 'off',
  resource: 'never',
  authMethod: 'client_secret_post',
  tokenPath: 'authed_user',
  accountPaths: ['team.name'],
  errors: {
    invalid_code: 'grant_rejected',
    code_expired: 'grant_rejected',
    code_already_used: 'grant_rejected',
    invalid_refresh_token: 'grant_rejected',
    token_revoked: 'grant_rejected',
    token_expired: 'grant_rejected',
    invalid_auth: 'grant_rejected',
    account_inactive: 'grant_rejected',
    bad_client_secret: 'client_rejected',
    invalid_client_id: 'client_rejected',
    bad_redirect_uri: 'redirect_uri_rejected',
    ratelimited: 'rate_limited',
  },
  revocation: {
    method: 'POST',
    url: 'https://slack.com/api/auth.revoke',
    authentication: 'token',
  },
  profile: { method: 'POST', url: 'https://slack.com/api/auth.test', paths: ['user'] },
  sources: [
    'https://docs.slack.dev/ai/slack-mcp-server/',
    'https://docs.slack.dev/reference/methods/oauth.v2.user.access',
    'https://docs.slack.dev/authentication/using-pkce',
    'https://docs.slack.dev/authentication/using-token-rotation/',
  ],
  help: {
    appsUrl: 'https://api.slack.com/apps',
    setup:
      'Create an app in your workspace. Under "Agents & AI Apps", switch on "Model Context Protocol". Add the redirect URL and the user token scopes that you need. Set `issuer` to `https://mcp.slack.com`.',
    notes: [
      'Set `scopes` to those of the app. Otherwise Gatehouse requests all that the MCP server lists, and Slack refuses those that the app lacks.',
      'Only apps of your own workspace and published ones may use the MCP server. A workspace may have to approve the app.',
      'For MCP servers that Slack does not host, set `issuer` to `https://slack.com`.',
      'Tokens expire only if token rotation is on in the app. It cannot be turned off again.',
    ],
  },
};
