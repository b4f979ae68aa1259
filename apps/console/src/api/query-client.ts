import { QueryClient } from '@tanstack/react-query';
import { refreshOf } from './refresh.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 1_000,
      // The client of the API has tried again already.
      retry: false,
      networkMode: 'always',
      refetchOnWindowFocus: true,
      // Never in a hidden tab.
      refetchIntervalInBackground: false,
      refetchInterval: refreshOf,
    },
    mutations: { networkMode: 'always' },
  },
});
