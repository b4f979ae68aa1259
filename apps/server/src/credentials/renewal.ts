import { presentDestination } from '@gatehouse/contract';
import type { OpenedCredential } from './modes/mode.ts';
import { type Due, dueOf, isWorthRefreshing } from './oauth/refresh/due.ts';
import type { TokensToRefresh } from './oauth/refresh/lease.ts';
import type { CredentialTarget } from './target.ts';

/** The tokens of an opened credential that may be refreshed for the target; undefined for every other one. */
export function refreshable(
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
export function renewalDue(opened: OpenedCredential | undefined, now: number): Due {
  if (opened?.oauth === undefined || now < opened.oauth.retryAt) return 'no';
  return dueOf(opened.oauth.grant, now);
}

/** Whether to refresh tokens that an upstream has just rejected. */
export function isRenewedAfterRejection({ oauth }: OpenedCredential, now: number): boolean {
  return oauth !== undefined && now >= oauth.retryAt && isWorthRefreshing(oauth.grant, now);
}
