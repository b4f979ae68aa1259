import type { Preset } from '../preset.ts';

export const slack: Preset = {
  name: 'slack',
  title: 'Slack',
  hosts: ['mcp.slack.com'],
  issuers: ['https://slack.com'],
  // The metadata of this issuer describes "Sign in with Slack", whose tokens reach no API.
  endpoints: {
    authorization: 'https://slack.com/oauth/v2_user/authorize',
    token: 'https://slack.com/api/oauth.v2.user.access',
  },
  registration: 'static',
  scopeSeparator: ',',
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
  help: {
    appsUrl: 'https://api.slack.com/apps',
    setup: 'Create an app, add the user token scopes that you need, and the redirect URL.',
    notes: [
      'Tokens expire only if token rotation is on in the app. It cannot be turned off again.',
      'A workspace may have to approve the app.',
    ],
  },
};
