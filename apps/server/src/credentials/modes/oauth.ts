import { presentDestination } from '@gatehouse/contract';
import { type Due, dueOf, hasExpired, isWorthRefreshing } from '../oauth/refresh/due.ts';
import type { TokensToRefresh } from '../oauth/refresh/lease.ts';
import type { UnusableCredential } from '../outcome.ts';
import type { CredentialTarget } from '../target.ts';
import { type CredentialMode, type OpenedCredential, readableCredential } from './mode.ts';
import { checkConnection, personalConnection } from './personal-connection.ts';

/** `oauth`: the access token of each person's grant. It is refreshed before it expires. */
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

/** The tokens of an opened credential, if they can be refreshed for the target. */
export function tokensToRefresh(
  target: CredentialTarget,
  opened: OpenedCredential | undefined,
): TokensToRefresh | undefined {
  if (opened?.oauth === undefined || target.authMode !== 'oauth' || !target.isOauthConfigured) {
    return undefined;
  }
  if (opened.destination !== presentDestination(target) || opened.oauth.isEnded) return undefined;
  return { connectionId: opened.rowId, tokenVersion: opened.oauth.tokenVersion };
}

/** Whether its tokens should be replaced now; `no` while a failed refresh must not be repeated yet. */
export function refreshDue(opened: OpenedCredential | undefined, now: number): Due {
  if (opened?.oauth === undefined || now < opened.oauth.retryAt) return 'no';
  return dueOf(opened.oauth.grant, now);
}

/** Whether something can refresh the tokens, if not now then later. */
export function hasRefreshToken(opened: OpenedCredential | undefined): boolean {
  return opened?.oauth?.grant.refreshToken !== undefined;
}

/** Whether the tokens can be refreshed now, due or not. */
export function canRefresh(opened: OpenedCredential | undefined, now: number): boolean {
  return hasRefreshToken(opened) && now >= (opened?.oauth?.retryAt ?? 0);
}

/** Whether to refresh tokens that an upstream has just rejected, which may have expired on the way. */
export function canRefreshRejected(opened: OpenedCredential | undefined, now: number): boolean {
  if (opened?.oauth === undefined || now < opened.oauth.retryAt) return false;
  return refreshDue(opened, now) === 'now' || isWorthRefreshing(opened.oauth.grant, now);
}
