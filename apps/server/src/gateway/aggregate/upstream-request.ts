import type { Envelope } from '../../mcp/envelope/message.ts';
import type { CallRequest } from '../client-side.ts';
import { type Inbound, inboundOf, type ReplacingHeaders } from '../inbound.ts';
import type { AggregateAttachment } from './applications.ts';
import type { InSession } from './client-call.ts';

/** A client's request as it goes to one integration. */
export interface Forwarding {
  readonly method?: 'POST' | 'GET' | 'DELETE';
  readonly body?: Buffer | undefined;
  /** What the body says. */
  readonly envelope?: Envelope | undefined;
  /** The aggregate makes it for itself: limits do not count it. */
  readonly isOwn?: boolean | undefined;
  /** The client uses its session with the integration, which is kept from then on. */
  readonly isUse?: boolean | undefined;
  /** A GET that goes on with the stream of a request. */
  readonly isResumed?: boolean | undefined;
  /** In place of the client's. */
  readonly headers?: ReplacingHeaders;
  /** The integration is of the other era: the client's headers of MCP do not go there. */
  readonly isWithoutMcp?: boolean;
}

/** The request of a call to one integration, with the client's headers. */
export function upstreamRequest(
  { call, application, session }: Pick<InSession, 'call' | 'application' | 'session'>,
  { integrationId }: Pick<AggregateAttachment, 'integrationId'>,
  { method = 'POST', body, envelope, isOwn = false, isUse = false, ...more }: Forwarding,
): CallRequest {
  const { headers, isWithoutMcp, isResumed = false } = more;
  const type = body === undefined ? undefined : 'application/json';
  const inbound = inboundOf(call.inbound, { type, headers, isWithoutMcp });
  return {
    ...{ method, body, envelope, isOwn, isUse, isResumed, inbound },
    url: `/mcp/${application.id}/${integrationId}`,
    requestId: call.requestId,
    aggregateSession: session,
    rawHeaders: inbound.forwarded,
    get headers() {
      return headersIn(inbound);
    },
  };
}

/** The headers by name, in lower case. */
function headersIn({ forwarded }: Inbound): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (let i = 0; i + 1 < forwarded.length; i += 2) {
    headers[(forwarded[i] as string).toLowerCase()] = forwarded[i + 1] as string;
  }
  return headers;
}
