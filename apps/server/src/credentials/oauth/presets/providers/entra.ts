import type { Preset } from '../preset.ts';

export const entra: Preset = {
  name: 'entra',
  aliases: ['microsoft', 'azure', 'azuread'],
  title: 'Microsoft Entra ID',
  hosts: [
    'login.microsoftonline.com',
    'login.microsoftonline.us',
    'login.partner.microsoftonline.cn',
  ],
  registration: 'static',
  // Its metadata does not list code_challenge_methods_supported.
  pkce: 'S256',
  resource: 'published',
  authMethod: 'client_secret_post',
  // `consent` would turn away people whose admin has consented for them.
  authorizationParams: { prompt: 'select_account' },
  hasScopeInRefresh: true,
  requiredScopes: ['offline_access'],
  sources: [
    'https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow',
    'https://learn.microsoft.com/en-us/entra/identity-platform/authentication-national-cloud',
  ],
  help: {
    appsUrl: 'https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps',
    setup:
      'Register an application with a web redirect URI and a client secret. Set `issuer` to `https://login.microsoftonline.com/<tenant id>/v2.0`.',
    notes: [
      'The issuers of `common` and `organizations` do not work: their metadata names no tenant.',
      'Scopes belong to one API, for example `api://<application id>/.default`.',
      'Client secrets expire after at most two years.',
      'Microsoft has no way to revoke a single token. After people disconnect, it stays valid there until it expires.',
    ],
  },
};
