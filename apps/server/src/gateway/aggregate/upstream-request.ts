import type { Envelope } from '../../mcp/envelope/message.ts';
import type { AggregateSession } from '../../sessions/sessions.ts';
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
  forwarding: Forwarding,
): CallRequest {
  const { body, headers, isWithoutMcp } = forwarding;
  const type = body === undefined ? undefined : 'application/json';
  const inbound = inboundOf(call.inbound, { type, headers, isWithoutMcp });
  const url = `/mcp/${application.id}/${integrationId}`;
  return new UpstreamRequest(url, call.requestId, inbound, forwarding, session);
}

/** A class: V8 gives each object that is written with a getter a hidden class, which lives until a full collection. */
class UpstreamRequest implements CallRequest {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly url: string;
  readonly requestId: string;
  readonly inbound: Inbound;
  readonly body: Buffer | undefined;
  readonly envelope: Envelope | undefined;
  readonly isOwn: boolean;
  readonly isUse: boolean;
  readonly isResumed: boolean;
  readonly aggregateSession: AggregateSession | undefined;

  constructor(
    url: string,
    requestId: string,
    inbound: Inbound,
    forwarding: Forwarding,
    session: AggregateSession | undefined,
  ) {
    this.method = forwarding.method ?? 'POST';
    this.url = url;
    this.requestId = requestId;
    this.inbound = inbound;
    this.body = forwarding.body;
    this.envelope = forwarding.envelope;
    this.isOwn = forwarding.isOwn ?? false;
    this.isUse = forwarding.isUse ?? false;
    this.isResumed = forwarding.isResumed ?? false;
    this.aggregateSession = session;
  }

  /** Those that may be sent upstream. */
  get rawHeaders(): readonly string[] {
    return this.inbound.forwarded;
  }

  get headers(): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {};
    const { rawHeaders } = this;
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
      headers[(rawHeaders[i] as string).toLowerCase()] = rawHeaders[i + 1] as string;
    }
    return headers;
  }
}
