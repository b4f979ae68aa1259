import type { Preset } from '../preset.ts';

export const jobber: Preset = {
  name: 'jobber',
  title: 'Jobber',
  hosts: ['api.getjobber.com'],
  issuers: ['https://api.getjobber.com'],
  endpoints: {
    authorization: 'https://api.getjobber.com/api/oauth/authorize',
    token: 'https://api.getjobber.com/api/oauth/token',
  },
  registration: 'static',
  pkce: 'off',
  resource: 'never',
  authMethod: 'client_secret_post',
  help: {
    appsUrl: 'https://developer.getjobber.com',
    setup: 'Create an app in the developer center and choose its scopes there.',
    notes: ['The response names no expiry. Gatehouse reads it from the access token.'],
  },
};
