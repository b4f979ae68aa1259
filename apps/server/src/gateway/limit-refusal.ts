import type { Limited } from '../limits/call-limits.ts';
import type { LimitLevel } from '../limits/levels.ts';
import { LIMITED } from '../mcp/errors.ts';
import type { RpcRefusal } from '../mcp/server/reply.ts';

/** The error for each request of a call that a limit has no room for. */
export function limitRefusal(
  limited: Limited,
  integrationId: string,
  isBatch: boolean,
): RpcRefusal {
  const { level, limit, retryAfter } = limited;
  const what = limit === 'perMinute' ? 'requests a minute' : 'requests in progress';
  const batch = isBatch ? ' Each request of a batch counts, and no request of it was sent.' : '';
  const seconds = retryAfter === 1 ? '1 second' : `${retryAfter} seconds`;
  return {
    code: LIMITED,
    message: `The limit of ${what} ${FOR[level]} is used up.${batch} Try again in ${seconds}.`,
    data: { code: 'limited', level, limit, retryAfter, integrationId },
  };
}

const FOR: Readonly<Record<LimitLevel, string>> = {
  person: 'for one person',
  application: 'for this application',
  integration: 'for this integration',
};
