import type { CredentialMode } from './mode.ts';

/** `oauth`: connections cannot be made yet, so the outcome says what is missing. */
export const oauthMode: CredentialMode = {
  source: 'connection',
  check: ({ oauthIssuer }) => ({
    kind: 'unavailable',
    reason: oauthIssuer === undefined ? 'oauth_not_configured' : 'oauth_not_supported',
  }),
  credential: () => undefined,
};
