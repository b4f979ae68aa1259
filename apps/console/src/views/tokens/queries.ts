import type { Token } from '@gatehouse/sdk';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { pageOf } from '../pages.ts';

/** The tokens of the person who is signed in, without their secrets. */
export const tokensQuery = infiniteQueryOptions({
  queryKey: ['tokens'],
  queryFn: async ({ pageParam }) =>
    pageOf<Token>(await gatehouse.tokens.list({ limit: 100, cursor: pageParam })),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor,
});
