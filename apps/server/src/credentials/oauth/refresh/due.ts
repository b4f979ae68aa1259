import type { OauthGrant } from '../grant.ts';

/** Milliseconds before its expiry from which a token is refreshed at the latest. */
const AHEAD = 60_000;
const AHEAD_SHARE = 0.2;

/**
 * Milliseconds that a call may take to arrive: a token that expires sooner is refreshed before it is sent.
 */
const ARRIVAL = 2_000;
const ARRIVAL_SHARE = 0.05;

/** Milliseconds after a refresh in which a rejection does not cause another one. */
const SETTLED = 30_000;

/**
 * Whether an access token should be replaced. `soon`: it is still good, and a refresh may run beside the
 * calls. `now`: it is not, so that calls wait.
 */
export type Due = 'no' | 'soon' | 'now';

type Timed = Pick<OauthGrant, 'refreshToken' | 'obtainedAt' | 'expiresAt'>;

/** A token of unknown lifetime is replaced only once it is rejected. */
export function dueOf({ refreshToken, obtainedAt, expiresAt }: Timed, now: number): Due {
  if (refreshToken === undefined || expiresAt === undefined) return 'no';
  const lifetime = expiresAt - obtainedAt;
  if (now < expiresAt - Math.min(AHEAD, lifetime * AHEAD_SHARE)) return 'no';
  return now < expiresAt - Math.min(ARRIVAL, lifetime * ARRIVAL_SHARE) ? 'soon' : 'now';
}

/** Whether the access token is past its expiry. */
export function hasExpired({ expiresAt }: Pick<OauthGrant, 'expiresAt'>, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

/**
 * Whether to refresh a rejected token. A new token that is rejected at once has another problem, and a
 * refresh for each call would be a flood.
 */
export function isWorthRefreshing(
  { refreshToken, obtainedAt, expiresAt }: Timed,
  now: number,
): boolean {
  if (refreshToken === undefined) return false;
  const settled =
    expiresAt === undefined ? SETTLED : Math.min(SETTLED, (expiresAt - obtainedAt) / 2);
  return now - obtainedAt >= settled;
}
