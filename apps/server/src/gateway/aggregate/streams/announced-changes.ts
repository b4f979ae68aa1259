import { FIRST_MODERN_VERSION } from '../../../mcp/era.ts';
import { messageOf } from '../../../mcp/server/reply.ts';
import { ANNOUNCED_LISTS, type AnnouncedList, type SpokenEras } from '../../../mcp/spoken-eras.ts';
import { metaOfHello } from '../../../mcp/translation/requests.ts';
import type { AggregateSession } from '../../../sessions/sessions.ts';
import type { Route } from '../../routes.ts';
import type { AggregateAttachment } from '../applications.ts';
import type { InSession } from '../client-call.ts';
import { ownRequestId } from '../server-request-ids.ts';
import { legacyHeaders } from '../translation/headers.ts';
import { upstreamRequest } from '../upstream-request.ts';
import { upstreamSide } from '../upstream-side.ts';
import { type Followed, type SpeechDeps, UNCHANGED } from './merged-stream.ts';

const LISTEN = 'subscriptions/listen';

/** The client learns of changes as its era has them. */
const LOOKED_AT = { changes: UNCHANGED, passes: () => false };

/** The lists among these that an integration announces changes of. One that has not been greeted may announce all. */
export function announcedAmong(
  lists: readonly AnnouncedList[],
  { listChanged = ANNOUNCED_LISTS }: SpokenEras,
): readonly AnnouncedList[] {
  return lists.filter((list) => listChanged.includes(list));
}

/**
 * What a legacy integration announces to a modern client: in the session that the clients of its token share. Undefined for
 * one without a GET stream.
 */
export async function changesOfLegacy(
  client: InSession,
  attachment: AggregateAttachment,
  route: Route,
  { routeDeps, streamless }: SpeechDeps,
): Promise<Followed | undefined> {
  if (streamless.has(route)) return undefined;
  const side = await upstreamSide(client, route.spokenEras, routeDeps);
  const request = upstreamRequest({ ...client, session: side.session }, attachment, {
    method: 'GET',
    isOwn: true,
    headers: { ...legacyHeaders({ side }), accept: 'text/event-stream' },
    isWithoutMcp: true,
  });
  return { request, ...LOOKED_AT, noteRefused: () => streamless.note(route) };
}

/** What a modern integration announces to the session of a legacy client. */
export function changesOfModern(
  client: InSession,
  attachment: AggregateAttachment,
  lists: readonly AnnouncedList[],
  { hello }: AggregateSession,
): Followed {
  const wanted = Object.fromEntries(lists.map((list) => [`${list}ListChanged`, true]));
  const meta = metaOfHello(hello, undefined);
  const params = `{"notifications":${JSON.stringify(wanted)},"_meta":{${meta}}}`;
  const id = JSON.stringify(ownRequestId());
  const request = upstreamRequest({ ...client, session: undefined }, attachment, {
    body: Buffer.from(messageOf(LISTEN, params, id)),
    isOwn: true,
    headers: {
      accept: 'application/json, text/event-stream',
      'accept-encoding': 'identity',
      'last-event-id': undefined,
      'mcp-protocol-version': FIRST_MODERN_VERSION,
      'mcp-method': LISTEN,
    },
  });
  return { request, ...LOOKED_AT };
}
