import type { CredentialMode } from './mode.ts';

/** `oauth`: connecting is not supported yet. */
export const oauthMode: CredentialMode = {
  source: 'connection',
  check: ({ oauthIssuer }) => ({
    kind: 'unavailable',
    reason: oauthIssuer === undefined ? 'oauth_not_configured' : 'oauth_not_supported',
  }),
  credential: () => undefined,
};
