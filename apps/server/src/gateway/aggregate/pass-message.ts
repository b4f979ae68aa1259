import type { AggregateAttachment } from './applications.ts';
import type { InSession } from './client-call.ts';
import { CollectedResponse } from './collected-response.ts';
import { startUpstreamCall, type UpstreamCallDeps } from './upstream-calls.ts';
import { type Forwarding, upstreamRequest } from './upstream-request.ts';

/** Passes a message of a client that awaits no answer to one integration. */
export function passMessage(
  client: InSession,
  attachment: AggregateAttachment,
  message: Pick<Forwarding, 'body' | 'isUse' | 'headers'>,
  deps: UpstreamCallDeps,
): void {
  const request = upstreamRequest(client, attachment, message);
  startUpstreamCall(client, attachment, request, new CollectedResponse(null), deps);
}
