import { isApiError } from '@gatehouse/sdk';
import { consoleTokens } from './gatehouse.ts';

/** What is in view is read again this often while it is looked at. */
const REFRESH = 5_000;

/** Statuses that asking again does not change. */
function isFinal(error: unknown): boolean {
  return isApiError(error) && error.status < 500 && error.status !== 429;
}

interface Loaded {
  readonly state: { readonly error: unknown; readonly data: unknown };
}

/**
 * When a query is read again: not after a refusal, and never once the browser is signed out. The more pages a
 * list has in view, the less often they are read: one request in five seconds.
 */
export function refreshOf({ state: { data, error } }: Loaded): number | false {
  if (consoleTokens.isSignedOut() || isFinal(error)) return false;
  return REFRESH * pagesOf(data);
}

function pagesOf(data: unknown): number {
  const isPaged = typeof data === 'object' && data !== null && 'pages' in data;
  return isPaged && Array.isArray(data.pages) ? data.pages.length : 1;
}
