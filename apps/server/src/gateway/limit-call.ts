import { subjectIdOf } from '../identity/caller.ts';
import type { CallLimits, Counts, Limited, Reservation } from '../limits/call-limits.ts';
import type { LimitLevel } from '../limits/levels.ts';
import type { Envelope } from '../mcp/envelope/message.ts';
import { NO_JSON } from '../mcp/envelope/read-envelope.ts';
import { LIMITED } from '../mcp/errors.ts';
import { MAX_AT_ONCE } from '../mcp/json/parse.ts';
import { type RpcRefusal, refusalOf } from '../mcp/server/reply.ts';
import type { Admission } from './admission.ts';
import type { Call } from './call.ts';
import { countsOf, isOneMessage, requestIdsOf } from './counted-messages.ts';
import { type JsonAnswer, unreadable } from './own-answer.ts';
import type { Route } from './routes.ts';

/** A message that may be a request. */
const ONE: Counts = { perMinute: 1, concurrent: 1 };

/** A call of which no message counts. */
const NOTHING_RESERVED: Reservation = { kind: 'reserved', release() {} };

export interface LimitCallDeps {
  readonly callLimits: Pick<CallLimits, 'reserve'>;
  readonly onLimited: (limited: Limited) => void;
}

/** Whether limits count a call to this route. */
export function isCounted({ request }: Pick<Call, 'request'>, { limits }: Pick<Route, 'limits'>) {
  return limits !== undefined && request.behind?.isOwn !== true;
}

/**
 * Reserves room for all messages of a call, or tells the answer to a call that the limits of its route have no room for.
 * A body in which two parsers may find different messages is refused too.
 */
export async function limitCall(
  { caller, route: { limits = [], integrationId } }: Pick<Admission, 'caller' | 'route'>,
  body: Buffer,
  read: Envelope = NO_JSON,
  { callLimits, onLimited }: LimitCallDeps,
): Promise<Reservation | JsonAnswer> {
  const isUnclear = read.kind === 'unreadable';
  const isCountable = !isUnclear || (body.length <= MAX_AT_ONCE && isOneMessage(body));
  if (!isCountable) return unreadable(read.reason, 'limited');
  const counts = isUnclear ? ONE : countsOf(read);
  if (counts.perMinute === 0) return NOTHING_RESERVED;
  const outcome = await callLimits.reserve(limits, subjectIdOf(caller), counts);
  if (outcome.kind === 'reserved') return outcome;
  onLimited(outcome);
  return isUnclear ? unreadable(read.reason, 'limited') : limited(read, outcome, integrationId);
}

function limited(
  read: Exclude<Envelope, { kind: 'unreadable' }>,
  by: Limited,
  integrationId: string,
): JsonAnswer {
  const isBatch = read.kind === 'batch';
  const ids = requestIdsOf(read);
  const refusal = limitRefusal(by, integrationId, isBatch);
  const headers = ['Retry-After', String(by.retryAfter)];
  const own = { kind: 'answer', headers, outcome: 'limited', reasons: [] } as const;
  // 2025-11-25 transports, "Sending Messages to the Server": what awaits no response, and is not accepted, gets an error of HTTP.
  return ids.length === 0
    ? { ...own, status: 429, json: refusalOf('null', refusal) }
    : { ...own, status: 200, json: refusalOf(isBatch ? ids : ids.join(), refusal) };
}

/** The error for each request of a call that a limit has no room for. */
function limitRefusal(limited: Limited, integrationId: string, isBatch: boolean): RpcRefusal {
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
