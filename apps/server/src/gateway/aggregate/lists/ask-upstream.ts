import { FIRST_MODERN_VERSION } from '../../../mcp/era.ts';
import type { AggregateAttachment } from '../applications.ts';
import type { InSession } from '../client-call.ts';
import { type Collected, CollectedResponse } from '../collected-response.ts';
import { startUpstreamCall, type UpstreamCallDeps } from '../upstream-calls.ts';
import { upstreamRequest } from '../upstream-request.ts';
import { within } from './gather.ts';

/** Milliseconds for one request of our own. */
const DEADLINE = 30_000;

/**
 * Sends a request of our own to an integration, once more if the session that it was sent in is gone: then it has not been
 * executed.
 *
 * @param id of the request
 */
export async function askUpstream(
  client: InSession,
  attachment: AggregateAttachment,
  { id, method, body }: { readonly id: string; readonly method: string; readonly body: Buffer },
  deps: UpstreamCallDeps,
): Promise<Collected> {
  const isModern = client.call.era === 'modern';
  const request = upstreamRequest(client, attachment, {
    isOwn: true,
    body,
    headers: {
      accept: 'application/json, text/event-stream',
      'accept-encoding': 'identity',
      'mcp-protocol-version': isModern
        ? FIRST_MODERN_VERSION
        : client.session?.hello.protocolVersion,
      'mcp-method': isModern ? method : undefined,
      'mcp-name': undefined,
    },
  });
  const first = await send(client, attachment, request, id, deps);
  const isGone = !isModern && first.kind === 'status' && first.status === 404;
  return isGone ? send(client, attachment, request, id, deps) : first;
}

async function send(
  client: InSession,
  attachment: AggregateAttachment,
  request: ReturnType<typeof upstreamRequest>,
  id: string,
  deps: UpstreamCallDeps,
): Promise<Collected> {
  const response = new CollectedResponse(id);
  startUpstreamCall(client, attachment, request, response, deps);
  const collected = await within(response.collected, DEADLINE);
  if (collected === undefined) response.close();
  return collected ?? { kind: 'status', status: 504, retryAfter: undefined };
}
