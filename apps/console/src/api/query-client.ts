import { isApiError } from '@gatehouse/sdk';
import { QueryClient } from '@tanstack/react-query';
import { consoleTokens } from './gatehouse.ts';

/** What is in view is read again this often while it is looked at. */
const REFRESH = 5_000;

/** Statuses that asking again does not change. */
function isFinal(error: unknown): boolean {
  return isApiError(error) && error.status < 500 && error.status !== 429;
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 1_000,
      // The client of the API has tried again already.
      retry: false,
      networkMode: 'always',
      refetchOnWindowFocus: true,
      // Never in a hidden tab, and never again once the browser is signed out.
      refetchIntervalInBackground: false,
      refetchInterval: ({ state }) =>
        consoleTokens.isSignedOut() || isFinal(state.error) ? false : REFRESH,
    },
    mutations: { networkMode: 'always' },
  },
});
