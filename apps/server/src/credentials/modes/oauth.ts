import { hasExpired } from '../oauth/refresh/due.ts';
import type { UnusableCredential } from '../outcome.ts';
import type { CredentialTarget } from '../target.ts';
import { type CredentialMode, type OpenedCredential, readableCredential } from './mode.ts';
import { checkConnection, personalConnection } from './personal-connection.ts';

/** `oauth`: the access token of each person's grant. `renewal.ts` replaces it before it expires. */
export const oauthMode: CredentialMode = {
  source: 'connection',
  stored: personalConnection,
  check,
  credential: readableCredential,
};

function check(
  target: CredentialTarget,
  opened: OpenedCredential | undefined,
  now: number,
): UnusableCredential | undefined {
  if (!target.isOauthConfigured) return { kind: 'unavailable', reason: 'oauth_not_configured' };
  const unusable = checkConnection(target, opened, now);
  if (unusable !== undefined || opened?.oauth === undefined) return unusable;
  const { grant, isEnded, failure } = opened.oauth;
  if (isEnded) return { kind: 'needs_user', reason: 'needs_reauth' };
  if (!hasExpired(grant, now)) return undefined;
  if (grant.refreshToken === undefined) return { kind: 'needs_user', reason: 'expired' };
  return failure === 'misconfigured'
    ? { kind: 'unavailable', reason: 'client_rejected' }
    : { kind: 'unavailable', reason: 'refresh_failed' };
}
