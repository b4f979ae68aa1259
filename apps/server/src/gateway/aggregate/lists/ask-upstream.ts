import { type Era, FIRST_MODERN_VERSION } from '../../../mcp/era.ts';
import type { CallRequest } from '../../client-side.ts';
import type { AggregateAttachment } from '../applications.ts';
import type { InSession } from '../client-call.ts';
import { type Collected, CollectedResponse } from '../collected-response.ts';
import { startUpstreamCall, type UpstreamCallDeps } from '../upstream-calls.ts';
import { upstreamRequest } from '../upstream-request.ts';
import { within } from './gather.ts';

/** A request that the aggregate makes for itself. */
export interface OwnRequest {
  readonly id: string;
  readonly method: string;
  readonly body: Buffer;
  /** Of the integration. */
  readonly era: Era;
  /** When it is given up, by the clock of `performance`. */
  readonly until: number;
}

/**
 * Sends it to an integration, once more if the session that it was sent in is gone: then it has not been
 * executed.
 *
 * @param client with the session behind which the integration is spoken to, in the legacy era
 */
export async function askUpstream(
  client: InSession,
  attachment: AggregateAttachment,
  { id, method, body, era, until }: OwnRequest,
  deps: UpstreamCallDeps,
): Promise<Collected> {
  const isModern = era === 'modern';
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
  const own = { request, id, until };
  const first = await send(client, attachment, own, deps);
  return !isModern && isSessionGone(first) ? send(client, attachment, own, deps) : first;
}

const TOO_LATE: Collected = { kind: 'status', status: 504, retryAfter: undefined };

/** Most servers say it in JSON-RPC, too. */
function isSessionGone(collected: Collected): boolean {
  if (collected.kind === 'problem') return collected.problem.code === 'session_not_found';
  return collected.kind !== 'invalid' && collected.status === 404;
}

async function send(
  client: InSession,
  attachment: AggregateAttachment,
  { request, id, until }: { request: CallRequest; id: string; until: number },
  deps: UpstreamCallDeps,
): Promise<Collected> {
  const time = until - performance.now();
  if (time <= 0) return TOO_LATE;
  const response = new CollectedResponse(id);
  startUpstreamCall(client, attachment, request, response, deps);
  const collected = await within(response.collected, time);
  if (collected === undefined) response.close();
  return collected ?? TOO_LATE;
}
