import type { Preset } from '../preset.ts';

export const jobber: Preset = {
  name: 'jobber',
  title: 'Jobber',
  hosts: ['api.getjobber.com'],
  issuers: ['https://api.getjobber.com'],
  // It publishes no metadata.
  endpoints: {
    authorization: 'https://api.getjobber.com/api/oauth/authorize',
    token: 'https://api.getjobber.com/api/oauth/token',
  },
  registration: 'static',
  pkce: 'off',
  resource: 'never',
  authMethod: 'client_secret_post',
  sources: ['https://developer.getjobber.com/docs/building_your_app/app_authorization/'],
  help: {
    appsUrl: 'https://developer.getjobber.com',
    setup: 'Create an app in the developer center and choose its scopes there.',
    notes: [
      'Jobber has no MCP server of its own. Use this for servers that take tokens of Jobber.',
      'The response names no expiry. Gatehouse reads it from the access token.',
    ],
  },
};
