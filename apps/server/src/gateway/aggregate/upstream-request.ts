import type { Envelope } from '../../mcp/envelope/message.ts';
import { FIRST_MODERN_VERSION } from '../../mcp/era.ts';
import { encodedHeader } from '../../mcp/header-values.ts';
import { messageOf } from '../../mcp/server/reply.ts';
import { metaOfHello } from '../../mcp/translation/requests.ts';
import type { AggregateSession } from '../../sessions/sessions.ts';
import { type Inbound, inboundOf, type ReplacingHeaders } from '../inbound.ts';
import type { BehindAggregate, CallRequest, ClientRequest } from '../ports.ts';
import { type BodyNeed, emptyBody } from '../request-body.ts';
import type { AggregateAttachment } from './applications.ts';
import type { InSession } from './client-call.ts';
import { ownRequestId } from './server-request-ids.ts';

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
  return new UpstreamRequest(url, call.request, inbound, forwarding, session);
}

class UpstreamRequest implements CallRequest {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly url: string;
  readonly inbound: Inbound;
  readonly behind: BehindAggregate;
  readonly #client: Pick<ClientRequest, 'requestId' | 'address'>;
  readonly #body: Buffer | undefined;

  constructor(
    url: string,
    client: Pick<ClientRequest, 'requestId' | 'address'>,
    inbound: Inbound,
    forwarding: Forwarding,
    session: AggregateSession | undefined,
  ) {
    const { method = 'POST', body, envelope } = forwarding;
    const { isOwn = false, isUse = false, isResumed = false } = forwarding;
    this.method = method;
    this.url = url;
    this.inbound = inbound;
    this.behind = { session, envelope, isOwn, isUse, isResumed };
    this.#client = client;
    this.#body = body;
  }

  get requestId(): string {
    return this.#client.requestId;
  }

  get address(): string {
    return this.#client.address;
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

  readBody(_reader: unknown, need: BodyNeed): Buffer | null {
    return this.#body ?? emptyBody(need);
  }

  /** The client's body has been read. */
  discardRest(): void {}
}

/** Formats of an answer that is read or translated here. */
const READ = 'application/json, text/event-stream';

/** The headers of a message for a legacy upstream. */
export function legacyHeaders(session: AggregateSession | undefined): ReplacingHeaders {
  return {
    accept: READ,
    'accept-encoding': 'identity',
    'mcp-protocol-version': session?.hello.protocolVersion,
  };
}

/** The headers of a request for a modern upstream, which repeat what its body says. @param name that it is about */
export function modernHeaders(method: string, name?: string): ReplacingHeaders {
  return {
    accept: READ,
    'accept-encoding': 'identity',
    'mcp-protocol-version': FIRST_MODERN_VERSION,
    'mcp-method': method,
    'mcp-name': name === undefined ? undefined : encodedHeader(name),
  };
}

const LISTEN = 'subscriptions/listen';

/** What a legacy client listens to at a modern integration. */
export interface ListenFilter {
  /** Raw JSON. */
  readonly id?: string;
  /** 2026-07-28 subscriptions, "Notification Filter". */
  readonly notifications: object;
  /** Not counted by limits. */
  readonly isOwn: boolean;
}

/** A `subscriptions/listen` for a legacy client. */
export function listenRequest(
  client: InSession,
  attachment: AggregateAttachment,
  { hello }: AggregateSession,
  { id = JSON.stringify(ownRequestId()), notifications, isOwn }: ListenFilter,
): CallRequest {
  const meta = metaOfHello(hello, undefined);
  const params = `{"notifications":${JSON.stringify(notifications)},"_meta":{${meta}}}`;
  return upstreamRequest({ ...client, session: undefined }, attachment, {
    body: Buffer.from(messageOf(LISTEN, params, id)),
    isOwn,
    headers: { ...modernHeaders(LISTEN), 'last-event-id': undefined },
  });
}
