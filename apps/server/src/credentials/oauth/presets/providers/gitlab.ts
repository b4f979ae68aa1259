import type { Preset } from '../preset.ts';

export const gitlab: Preset = {
  name: 'gitlab',
  title: 'GitLab',
  hosts: ['gitlab.com'],
  issuers: ['https://gitlab.com'],
  registration: 'automatic',
  profile: { method: 'GET', url: '/api/v4/user', paths: ['username'] },
  help: {
    appsUrl: 'https://gitlab.com/-/user_settings/applications',
    setup:
      'Nothing for GitLab.com. For an application of your own, create one with the scopes that you need and set `clientId` and `clientSecret`.',
    notes: ['Access tokens live for two hours and refresh tokens change each time.'],
  },
};
