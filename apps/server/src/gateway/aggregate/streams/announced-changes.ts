import { eventOfBytes } from '../../../mcp/server/reply.ts';
import { ANNOUNCED_LISTS, type AnnouncedList, type SpokenEras } from '../../../mcp/spoken-eras.ts';
import { ResourceUpdates } from '../../../mcp/translation/resource-updates.ts';
import type { AggregateSession } from '../../../sessions/sessions.ts';
import type { Route } from '../../routes.ts';
import type { AggregateAttachment } from '../applications.ts';
import type { InSession } from '../client-call.ts';
import { legacyHeaders, listenRequest, upstreamRequest } from '../upstream-request.ts';
import { upstreamSide } from '../upstream-side.ts';
import type { Followed, SpeechDeps } from './merged-stream.ts';

/** The client learns of changes as its era has them. */
const LOOKED_AT = { toClient: () => undefined };

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
  { callDeps, streamless }: SpeechDeps,
): Promise<Followed | undefined> {
  if (streamless.has(route)) return undefined;
  const side = await upstreamSide(client, route.spokenEras, callDeps);
  const request = upstreamRequest({ ...client, session: side.session }, attachment, {
    method: 'GET',
    isOwn: true,
    headers: { ...legacyHeaders(side.session), accept: 'text/event-stream' },
    isWithoutMcp: true,
  });
  return { request, ...LOOKED_AT, noteRefused: () => streamless.note(route) };
}

/** What a legacy client hears of at a modern integration. */
export interface ChangesOfModern {
  readonly lists: readonly AnnouncedList[];
  readonly uris: readonly string[];
  /** Whether rules let the client learn of that resource: a server may name a part of one that was subscribed to. */
  readonly isAllowed: (uri: string) => boolean;
}

/** What a modern integration announces to the session of a legacy client. */
export function changesOfModern(
  client: InSession,
  attachment: AggregateAttachment,
  { lists, uris, isAllowed }: ChangesOfModern,
  session: AggregateSession,
): Followed {
  const notifications = {
    ...Object.fromEntries(lists.map((list) => [`${list}ListChanged`, true])),
    ...(uris.length > 0 && { resourceSubscriptions: uris }),
  };
  const updates = new ResourceUpdates(isAllowed);
  return {
    request: listenRequest(client, attachment, session, { notifications, isOwn: true }),
    uris,
    toClient(event) {
      const update = updates.read(event.bytes);
      return update && eventOfBytes(update);
    },
  };
}
