import type { EndedSessions, EndSessionsResponse, SessionsFilter } from '@gatehouse/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { gatehouse } from '../../api/gatehouse.ts';
import { renewSessions } from './use-end-one.ts';

/** Each request ends a part of them: at most these follow each other, since clients may begin again meanwhile. */
const MOST_REQUESTS = 20;

function sumOf(one: EndedSessions, other: EndedSessions): EndedSessions {
  return {
    sessions: one.sessions + other.sessions,
    leases: one.leases + other.leases,
    streams: one.streams + other.streams,
  };
}

/** Ends the open sessions of a filter. What has ended stays known when a later request fails. */
export function useEnding(filter: SessionsFilter) {
  const queries = useQueryClient();
  const [receipt, setReceipt] = useState<EndSessionsResponse>();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      let sum = receipt;
      for (let request = 0; request < MOST_REQUESTS; request += 1) {
        const part = await gatehouse.request('POST', '/sessions/end', { body: { filter } });
        const ended = sum === undefined ? part.ended : sumOf(sum.ended, part.ended);
        sum = { ended, remaining: part.remaining, items: sum?.items ?? part.items };
        setReceipt(sum);
        if (part.remaining === 0) return;
      }
    },
    onSettled: () => renewSessions(queries),
  });
  return { receipt, end: () => mutate(), isPending, error };
}
