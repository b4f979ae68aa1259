import type { Preset } from '../preset.ts';

export const google: Preset = {
  name: 'google',
  title: 'Google',
  hosts: ['*.googleapis.com'],
  issuers: ['https://accounts.google.com'],
  endpoints: {
    authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    revocation: 'https://oauth2.googleapis.com/revoke',
    userinfo: 'https://openidconnect.googleapis.com/v1/userinfo',
  },
  registration: 'static',
  pkce: 'S256',
  resource: 'never',
  authMethod: 'client_secret_post',
  // Otherwise there is no refresh token, or none after the first consent.
  authorizationParams: { access_type: 'offline', prompt: 'consent' },
  errors: { redirect_uri_mismatch: 'redirect_uri_rejected' },
  help: {
    appsUrl: 'https://console.cloud.google.com/apis/credentials',
    setup:
      'Create an OAuth client of type "Web application", and enable the API that the MCP server serves.',
    notes: [
      'While the consent screen is in testing, refresh tokens end after 7 days. Publish the app, or make it internal.',
      'Add the scope `email` with `openid` to see whose account is connected.',
    ],
  },
};
