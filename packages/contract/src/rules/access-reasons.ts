import { credentialFailures } from './failures/credential-failures.ts';

/** The reasons why nobody can use an attached integration through an application, in the order of a response. */
export const accessReasonCodes = [
  'application_archived',
  'integration_archived',
  'not_proxied',
  'validation_invalid',
  'server_token_missing',
  'oauth_not_configured',
] as const;
export type AccessReasonCode = (typeof accessReasonCodes)[number];

/** The sentence that explains each reason. */
export const accessReasonMessages: Readonly<Record<AccessReasonCode, string>> = {
  application_archived: 'The application is archived.',
  integration_archived: 'The integration is archived.',
  not_proxied:
    'The gateway does not proxy this integration, and its credential is not handed out to this application: that takes a credential, a confidential application and the scope credentials.',
  validation_invalid: 'The last validation of the integration failed.',
  server_token_missing: credentialFailures.server_token_missing.sentence,
  oauth_not_configured: credentialFailures.oauth_not_configured.sentence,
};
