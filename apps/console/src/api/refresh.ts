import { isApiError } from '@gatehouse/sdk';
import { consoleTokens } from './gatehouse.ts';

/** Statuses that asking again does not change. */
function isFinal(error: unknown): boolean {
  return isApiError(error) && error.status < 500 && error.status !== 429;
}

interface Loaded {
  readonly state: { readonly error: unknown; readonly data: unknown };
}

/**
 * When a query is read again: not after a refusal, and never once the browser is signed out. The more pages a
 * list has in view, the less often they are read.
 */
function refreshEvery(milliseconds: number): (loaded: Loaded) => number | false {
  return ({ state: { data, error } }) =>
    consoleTokens.isSignedOut() || isFinal(error) ? false : milliseconds * pagesOf(data);
}

/** What is in view is read again while it is looked at: one request in five seconds. */
export const refreshOf = refreshEvery(5_000);

const MINUTE = 60_000;

/** For what changes seldom, or takes a request for each of many. */
export const onceAMinute = { staleTime: MINUTE, refetchInterval: refreshEvery(MINUTE) };

function pagesOf(data: unknown): number {
  const isPaged = typeof data === 'object' && data !== null && 'pages' in data;
  return isPaged && Array.isArray(data.pages) ? data.pages.length : 1;
}
