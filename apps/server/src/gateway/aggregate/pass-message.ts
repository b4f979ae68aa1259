import type { AggregateAttachment } from './applications.ts';
import type { InSession } from './client-call.ts';
import { collect } from './collect.ts';
import { callUpstream, type UpstreamCallDeps } from './upstream-calls.ts';
import { type Forwarding, upstreamRequest } from './upstream-request.ts';

/** Passes a message of a client that awaits no answer to one integration. */
export function passMessage(
  client: InSession,
  attachment: AggregateAttachment,
  message: Pick<Forwarding, 'body' | 'isUse' | 'headers'>,
  deps: UpstreamCallDeps,
): void {
  const request = upstreamRequest(client, attachment, message);
  void collect(callUpstream(client, attachment, request, deps), null);
}
