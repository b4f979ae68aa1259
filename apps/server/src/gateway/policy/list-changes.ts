import { isJsonObject } from '@gatehouse/contract';
import { META } from '../../mcp/server/modern-check.ts';
import { notificationOf } from '../../mcp/server/reply.ts';
import type { AnnouncedList } from '../../mcp/spoken-eras.ts';
import type { Call } from '../call.ts';
import { isOpenEnded } from '../open-calls.ts';
import { messageIdsOf, type RequestBody } from '../request-body.ts';
import type { Route } from '../routes.ts';
import { changedKinds } from '../routes.ts';

/**
 * Tells the client of an open-ended stream which lists the rules have changed since it was last told, if the upstream
 * announces changes of them too.
 */
export function announceListChanges(call: Call, route: Route): void {
  const before = call.admission?.route;
  if (before === undefined || !call.isStream || !isOpenEnded(call)) return;
  const { listChanged = [] } = route.spokenEras;
  const changed = changedKinds(before.policy, route.policy);
  const lists = changed.filter((kind) => listChanged.includes(kind));
  if (lists.length > 0) call.exchange?.announceListChanges?.(lists);
  call.reroute(route);
}

/** Bytes of the longest `subscriptions/listen` that is read for this. */
const MAX_LISTEN = 256 * 1024;

/** The notifications of changed lists, as events, for the client of a GET stream or a `subscriptions/listen`. */
export function listChangeEvents(
  { request }: Pick<Call, 'request'>,
  body: RequestBody,
  lists: readonly AnnouncedList[],
): readonly string[] {
  if (request.method === 'GET') return lists.map((list) => notificationOf(`${list}/list_changed`));
  if (!(body instanceof Buffer) || body.length > MAX_LISTEN) return [];
  const ids = messageIdsOf(body);
  if (ids?.kind !== 'request') return [];
  const meta = `{"_meta":{"${META}/subscriptionId":${ids.id}}}`;
  const notifications = notificationsOf(body);
  return lists
    .filter((list) => notifications[`${list}ListChanged`] === true)
    .map((list) => notificationOf(`${list}/list_changed`, meta));
}

/** The filter of a `subscriptions/listen` (2026-07-28 subscriptions). */
function notificationsOf(body: Buffer): Readonly<Record<string, unknown>> {
  const message: unknown = JSON.parse(body.toString());
  const params = isJsonObject(message) ? message.params : undefined;
  const notifications = isJsonObject(params) ? params.notifications : undefined;
  return isJsonObject(notifications) ? notifications : {};
}
