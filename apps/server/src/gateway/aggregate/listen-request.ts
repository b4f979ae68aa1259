import { FIRST_MODERN_VERSION } from '../../mcp/era.ts';
import { messageOf } from '../../mcp/server/reply.ts';
import { metaOfHello } from '../../mcp/translation/requests.ts';
import type { AggregateSession } from '../../sessions/sessions.ts';
import type { CallRequest } from '../ports.ts';
import type { AggregateAttachment } from './applications.ts';
import type { InSession } from './client-call.ts';
import { ownRequestId } from './server-request-ids.ts';
import { upstreamRequest } from './upstream-request.ts';

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
    headers: {
      accept: 'application/json, text/event-stream',
      'accept-encoding': 'identity',
      'last-event-id': undefined,
      'mcp-protocol-version': FIRST_MODERN_VERSION,
      'mcp-method': LISTEN,
      'mcp-name': undefined,
    },
  });
}
