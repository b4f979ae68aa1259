import { subjectIdOf } from '../identity/caller.ts';
import type { CallLimits, Counts, Limited, Reservation } from '../limits/call-limits.ts';
import type { Envelope } from '../mcp/envelope/message.ts';
import { envelopeOf } from '../mcp/envelope/read-envelope.ts';
import { MAX_AT_ONCE } from '../mcp/json/parse.ts';
import { isPlainUtf8 } from '../mcp/plain-utf8.ts';
import { refusalOf } from '../mcp/server/reply.ts';
import type { Admission } from './admission.ts';
import type { Call } from './call.ts';
import { countsOf, isOneMessage, requestIdsOf } from './counted-messages.ts';
import { limitRefusal } from './limit-refusal.ts';
import { judgedHeadersOf } from './policy/judged-headers.ts';
import { mustBePlain, refuseUnreadable } from './unreadable-body.ts';

/** A message that may be a request. */
const ONE: Counts = { perMinute: 1, concurrent: 1 };

export interface UnderLimitsDeps {
  readonly callLimits: Pick<CallLimits, 'reserve'>;
  readonly onLimited: (limited: Limited) => void;
}

/**
 * Counts the messages of a call. If the limits of its route have room for all of them, calls `pass`, and says whether
 * other calls have gone on meanwhile; otherwise refuses the call. A body in which two parsers may find different messages
 * is refused too.
 */
export function underLimits(
  call: Call,
  { caller, route: { limits = [], integrationId } }: Pick<Admission, 'caller' | 'route'>,
  body: Buffer,
  { callLimits, onLimited }: UnderLimitsDeps,
  pass: (hasWaited: boolean) => void,
): void {
  const refuse = (error: unknown): void => call.refuse(error);
  const follow = (outcome: Reservation | Limited, read: Envelope, hasWaited: boolean): void => {
    if (outcome.kind === 'reserved') {
      call.holdReservation(outcome);
      if (!call.hasEnded) pass(hasWaited);
      return;
    }
    onLimited(outcome);
    refuseLimited(call, read, outcome, integrationId);
  };
  const reserve = (counts: Counts, read: Envelope, hasWaited: boolean): void => {
    if (counts.perMinute === 0) {
      pass(hasWaited);
      return;
    }
    const outcome = callLimits.reserve(limits, subjectIdOf(caller), counts);
    if (!(outcome instanceof Promise)) follow(outcome, read, hasWaited);
    else outcome.then((later) => follow(later, read, true)).catch(refuse);
  };
  const count = (read: Envelope, hasWaited: boolean): void => {
    // The audit and usage need it too, once the call has ended.
    call.notes.envelope = read;
    if (read.kind !== 'unreadable') reserve(countsOf(read), read, hasWaited);
    else if (body.length <= MAX_AT_ONCE && isOneMessage(body)) reserve(ONE, read, hasWaited);
    else refuseUnreadable(call, read.reason, 'limited');
  };
  try {
    const headers = judgedHeadersOf(call.request.rawHeaders);
    if (!isPlainUtf8(headers['content-type'], headers['content-encoding'])) throw mustBePlain();
    const judged = call.notes.envelope;
    const envelope = judged ?? envelopeOf(body);
    if (envelope instanceof Promise) envelope.then((read) => count(read, true)).catch(refuse);
    else count(envelope, false);
  } catch (error) {
    refuse(error);
  }
}

function refuseLimited(call: Call, read: Envelope, limited: Limited, integrationId: string): void {
  if (read.kind === 'unreadable') {
    refuseUnreadable(call, read.reason, 'limited');
    return;
  }
  const isBatch = read.kind === 'batch';
  const ids = requestIdsOf(read);
  const refusal = limitRefusal(limited, integrationId, isBatch);
  const retryAfter = ['Retry-After', String(limited.retryAfter)];
  // 2025-11-25 transports, "Sending Messages to the Server": what awaits no response, and is not accepted, gets an error of HTTP.
  if (ids.length === 0) call.answer(429, refusalOf('null', refusal), retryAfter, 'limited');
  else call.answer(200, refusalOf(isBatch ? ids : ids.join(), refusal), retryAfter, 'limited');
}
