import type { Preset } from '../preset.ts';

export const google: Preset = {
  name: 'google',
  title: 'Google',
  hosts: ['*.googleapis.com'],
  issuers: ['https://accounts.google.com'],
  registration: 'static',
  resource: 'never',
  // Otherwise there is no refresh token, or none after the first consent.
  authorizationParams: { access_type: 'offline', prompt: 'consent' },
  sources: [
    'https://developers.google.com/workspace/guides/configure-mcp-servers',
    'https://developers.google.com/identity/protocols/oauth2/web-server',
    'https://accounts.google.com/.well-known/openid-configuration',
  ],
  help: {
    appsUrl: 'https://console.cloud.google.com/apis/credentials',
    setup:
      'Create an OAuth client of type "Web application", and enable the API that the MCP server serves and its MCP API.',
    notes: [
      "Google's MCP servers list their tools without a token too, so discovery may say that none is needed. Choose `oauth` all the same.",
      'While the consent screen is in testing, refresh tokens end after 7 days. Publish the app, or make it internal.',
      'Add the scope `email` with `openid` to see whose account is connected.',
    ],
  },
};
