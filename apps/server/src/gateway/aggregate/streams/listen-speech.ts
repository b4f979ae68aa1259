import { fieldsOf, isObject, type RpcRequest } from '../../../mcp/server/messages.ts';
import { META } from '../../../mcp/server/modern-check.ts';
import { completed, eventOf, notificationOf } from '../../../mcp/server/reply.ts';
import { ANNOUNCED_LISTS, isModernSpoken } from '../../../mcp/spoken-eras.ts';
import { accessTo } from '../lists/access.ts';
import type { UpstreamCallDeps } from '../upstream-calls.ts';
import { upstreamRequest } from '../upstream-request.ts';
import type { Speech } from './merged-stream.ts';

const ACKNOWLEDGED = Buffer.from('notifications/subscriptions/acknowledged');
const METHOD = Buffer.from('"method"');

/**
 * What is said to the client of a `subscriptions/listen` (2026-07-28 subscriptions), which must name a filter: undefined
 * without one. The integrations get the client's own request, so that what they send has its id.
 */
export function listenSpeech(
  { id, params }: RpcRequest,
  body: Buffer,
  { routeDeps }: UpstreamCallDeps,
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
    async requestFor(client, attachment) {
      const access = await accessTo(client, attachment, routeDeps);
      if (access.kind !== 'ready' || !isModernSpoken(access.route.spokenEras)) return undefined;
      return upstreamRequest(client, attachment, {
        body,
        headers: { 'accept-encoding': 'identity' },
      });
    },
    changesFor: () => ({ eventId: (own) => own, requestId: (own) => own }),
    passes: (event) => event.includes(METHOD) && !event.includes(ACKNOWLEDGED),
    endsWith: () => false,
  };
}
