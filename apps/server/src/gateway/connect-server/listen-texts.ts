import { streamEndedError } from '../json-rpc-error.ts';
import { fieldsOf, isObject, type RpcRequest } from './messages.ts';
import { META } from './modern-check.ts';
import { eventOf, notificationOf, type StreamTexts } from './stream-texts.ts';

/**
 * What is said to the client of a `subscriptions/listen` (2026-07-28 subscriptions), which must name a
 * filter: undefined without one.
 *
 * @param requestId of the call
 */
export function listenTexts(
  { id, params }: RpcRequest,
  requestId: string,
): (StreamTexts & { readonly isOver: boolean }) | undefined {
  const { notifications } = params;
  if (!isObject(notifications)) return undefined;
  const hearsOfTools = fieldsOf(notifications).toolsListChanged === true;
  const meta = `"_meta":{"${META}/subscriptionId":${id}}`;
  const honored = JSON.stringify(hearsOfTools ? { toolsListChanged: true } : {});
  const acknowledged = notificationOf(
    'subscriptions/acknowledged',
    `{${meta},"notifications":${honored}}`,
  );
  const changed = notificationOf('tools/list_changed', `{${meta}}`);
  const closed = eventOf(`{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete",${meta}}}`);
  return {
    // Nothing else will come for a client that wants to hear of other changes alone.
    isOver: !hearsOfTools,
    first: hearsOfTools ? acknowledged : acknowledged + closed,
    connected: changed + closed,
    ended: (problem) =>
      problem.code === 'overloaded' ? closed : eventOf(streamEndedError(id, problem, requestId)),
  };
}
