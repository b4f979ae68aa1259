import { withoutExtensions } from '../../../mcp/aggregate/without-extensions.ts';
import { readEnvelope } from '../../../mcp/envelope/read-envelope.ts';
import { fieldsOf, isObject, type RpcRequest } from '../../../mcp/server/messages.ts';
import { META } from '../../../mcp/server/modern-check.ts';
import { completed, eventOf, messageOf, notificationOf } from '../../../mcp/server/reply.ts';
import { ANNOUNCED_LISTS, type AnnouncedList, isModernSpoken } from '../../../mcp/spoken-eras.ts';
import { dataOf, type StreamEvent } from '../../../mcp/sse/event-reader.ts';
import type { AggregateAttachment } from '../applications.ts';
import type { InSession } from '../client-call.ts';
import { accessTo } from '../lists/access.ts';
import type { AggregateLists } from '../lists/lists.ts';
import { ownersOf } from '../target.ts';
import { upstreamRequest } from '../upstream-request.ts';
import { erasFor } from '../upstream-side.ts';
import { announcedAmong, changesOfLegacy } from './announced-changes.ts';
import type { Followed, Speech, SpeechDeps } from './merged-stream.ts';

/** Resources that one stream follows. */
const MAX_RESOURCES = 100;

export interface ListenDeps extends SpeechDeps {
  readonly lists: AggregateLists;
}

/** What notifications are agreed to (2026-07-28 subscriptions). Of what else a client asks for it hears nothing. */
interface Agreed {
  readonly lists: readonly AnnouncedList[];
  readonly uris: readonly string[];
}

/**
 * What is said to the client of a `subscriptions/listen` (2026-07-28 subscriptions), which must name a filter: undefined
 * without one. Each integration is asked for what it has of it, with the id of the client's request, so that what it sends
 * has that id.
 */
export async function listenSpeech(
  client: InSession,
  request: RpcRequest,
  deps: ListenDeps,
): Promise<Speech | undefined> {
  const { id, params } = request;
  if (!isObject(params.notifications)) return undefined;
  const wanted = fieldsOf(params.notifications);
  const lists = ANNOUNCED_LISTS.filter((list) => wanted[`${list}ListChanged`] === true);
  const owned = await modernOwnersOf(client, urisIn(wanted), deps);
  const meta = `"_meta":{"${META}/subscriptionId":${id}}`;
  const closed = eventOf(completed(id, meta));
  const agreed = JSON.stringify(filterOf({ lists, uris: [...owned.values()].flat() }));
  return {
    first: notificationOf('subscriptions/acknowledged', `{${meta},"notifications":${agreed}}`),
    changed: lists.map((list) => notificationOf(`${list}/list_changed`, `{${meta}}`)).join(''),
    ended: () => closed,
    async follow(now, attachment) {
      const access = await accessTo(now, attachment, deps.callDeps);
      if (access.kind !== 'ready') return undefined;
      const spokenEras = await erasFor(now, access, deps);
      const announced = announcedAmong(lists, spokenEras);
      if (isModernSpoken(spokenEras)) {
        const uris = owned.get(attachment.attachmentId) ?? [];
        return followedOf(now, attachment, request, { lists: announced, uris });
      }
      return announced.length === 0
        ? undefined
        : changesOfLegacy(now, attachment, { ...access.route, spokenEras }, deps);
    },
    endsWith: () => false,
  };
}

function urisIn({ resourceSubscriptions }: Readonly<Record<string, unknown>>): readonly string[] {
  if (!Array.isArray(resourceSubscriptions)) return [];
  const uris = new Set(resourceSubscriptions.filter((uri) => typeof uri === 'string'));
  return [...uris].slice(0, MAX_RESOURCES);
}

/** The resources of integrations that can be listened to, by attachment. */
async function modernOwnersOf(
  client: InSession,
  uris: readonly string[],
  deps: ListenDeps,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const owned = new Map<string, readonly string[]>();
  for (const [attachment, own] of await ownersOf(client, uris, deps.lists)) {
    const access = await accessTo(client, attachment, deps.callDeps);
    if (access.kind !== 'ready') continue;
    const spoken = await erasFor(client, access, deps);
    if (isModernSpoken(spoken)) owned.set(attachment.attachmentId, own);
  }
  return owned;
}

function filterOf({ lists, uris }: Agreed): object {
  return {
    ...Object.fromEntries(lists.map((list) => [`${list}ListChanged`, true])),
    ...(uris.length > 0 && { resourceSubscriptions: uris }),
  };
}

/** Undefined where an integration has nothing of what the client asks for. */
async function followedOf(
  client: InSession,
  attachment: AggregateAttachment,
  { id, params }: RpcRequest,
  agreed: Agreed,
): Promise<Followed | undefined> {
  if (agreed.lists.length === 0 && agreed.uris.length === 0) return undefined;
  const own = JSON.stringify({ notifications: filterOf(agreed), _meta: params._meta });
  const body = await withoutExtensions(Buffer.from(messageOf('subscriptions/listen', own, id)));
  if (body === undefined) return undefined;
  const headers = { 'accept-encoding': 'identity' };
  const request = upstreamRequest(client, attachment, { body, headers });
  const methods = new Set(agreed.lists.map((list) => `notifications/${list}/list_changed`));
  if (agreed.uris.length > 0) methods.add('notifications/resources/updated');
  return {
    request,
    toClient: (event) => (methods.has(notificationIn(event) ?? '') ? event.bytes : undefined),
  };
}

/** The method of the notification in an event; undefined for another message. */
function notificationIn(event: StreamEvent): string | undefined {
  const data = dataOf(event);
  const envelope = data && readEnvelope(data);
  if (envelope?.kind !== 'message' || envelope.message.id !== undefined) return undefined;
  return envelope.message.method;
}
