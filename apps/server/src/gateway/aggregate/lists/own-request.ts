import { type Era, FIRST_MODERN_VERSION } from '../../../mcp/era.ts';
import type { AggregateAttachment } from '../applications.ts';
import type { InSession } from '../client-call.ts';
import { type Collected, collect } from '../collect.ts';
import { callUpstream, type UpstreamCall, type UpstreamCallDeps } from '../upstream-calls.ts';
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

/** The answer to one, and the call that it was sent with. */
export interface OwnAnswer {
  readonly collected: Collected;
  readonly sent: UpstreamCall | undefined;
}

const TOO_LATE: Collected = { kind: 'status', status: 504, retryAfter: undefined };

/**
 * Sends a request to an integration, once.
 *
 * @param client with the session behind which the integration is spoken to, in the legacy era
 */
export async function sendOwnRequest(
  client: InSession,
  attachment: AggregateAttachment,
  { id, method, body, era, until }: OwnRequest,
  deps: UpstreamCallDeps,
): Promise<OwnAnswer> {
  const time = until - performance.now();
  if (time <= 0) return { collected: TOO_LATE, sent: undefined };
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
  const sent = callUpstream(client, attachment, request, deps);
  const collected = await within(collect(sent, id), time);
  if (collected === undefined) sent.abort();
  return { collected: collected ?? TOO_LATE, sent };
}
