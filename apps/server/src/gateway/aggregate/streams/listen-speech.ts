import { fieldsOf, isObject, type RpcRequest } from '../../../mcp/server/messages.ts';
import { META } from '../../../mcp/server/modern-check.ts';
import { completed, eventOf, notificationOf } from '../../../mcp/server/reply.ts';
import { ANNOUNCED_LISTS, isModernSpoken } from '../../../mcp/spoken-eras.ts';
import { accessTo } from '../lists/access.ts';
import { upstreamRequest } from '../upstream-request.ts';
import { announcedAmong, changesOfLegacy } from './announced-changes.ts';
import { type Speech, type SpeechDeps, UNCHANGED } from './merged-stream.ts';

const ACKNOWLEDGED = Buffer.from('notifications/subscriptions/acknowledged');
const METHOD = Buffer.from('"method"');

/**
 * What is said to the client of a `subscriptions/listen` (2026-07-28 subscriptions), which must name a filter: undefined
 * without one. The integrations get the client's own request, so that what they send has its id.
 */
export function listenSpeech(
  { id, params }: RpcRequest,
  body: Buffer,
  deps: SpeechDeps,
): Speech | undefined {
  if (!isObject(params.notifications)) return undefined;
  const wanted = fieldsOf(params.notifications);
  const lists = ANNOUNCED_LISTS.filter((list) => wanted[`${list}ListChanged`] === true);
  const meta = `"_meta":{"${META}/subscriptionId":${id}}`;
  const closed = eventOf(completed(id, meta));
  return {
    first: notificationOf(
      'subscriptions/acknowledged',
      `{${meta},"notifications":${JSON.stringify(wanted)}}`,
    ),
    changed: lists.map((list) => notificationOf(`${list}/list_changed`, `{${meta}}`)).join(''),
    ended: () => closed,
    async follow(client, attachment) {
      const access = await accessTo(client, attachment, deps.routeDeps);
      if (access.kind !== 'ready') return undefined;
      const spokenEras = await deps.eras.findFor(client, access.route, access.credential);
      if (isModernSpoken(spokenEras)) {
        const headers = { 'accept-encoding': 'identity' };
        const request = upstreamRequest(client, attachment, { body, headers });
        return { request, changes: UNCHANGED, passes: isPassed };
      }
      return announcedAmong(lists, spokenEras).length === 0
        ? undefined
        : changesOfLegacy(client, attachment, { ...access.route, spokenEras }, deps);
    },
    endsWith: () => false,
  };
}

function isPassed(event: Buffer): boolean {
  return event.includes(METHOD) && !event.includes(ACKNOWLEDGED);
}
