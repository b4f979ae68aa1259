import { opensUrls } from '../../mcp/client-hello.ts';
import { fieldsOf, isObject, type RpcRequest } from '../../mcp/server/messages.ts';
import { META } from '../../mcp/server/modern-check.ts';
import { completed, eventOf, notificationOf, refusalOf } from '../../mcp/server/reply.ts';
import type { ProblemError } from '../../platform/problem-error.ts';
import type { ConnectSession } from '../../sessions/connect-session-ids.ts';
import { streamEnded } from '../problems.ts';

/** What is written on an event stream of the connect server, as events. */
export interface StreamTexts {
  /** At once; empty for nothing. */
  readonly first: string;
  /** The person has connected. The stream ends with it. */
  readonly connected: string;
  /** The gateway ends the stream for another reason. */
  ended(problem: ProblemError): string;
}

/**
 * What is said on the GET stream of a legacy client. One that may have been asked to open a URL also
 * hears that this is done; a client that has not been asked ignores it (2025-11-25 elicitation).
 *
 * @param reconnectAfter milliseconds
 */
export function getTexts(session: ConnectSession | undefined, reconnectAfter: number): StreamTexts {
  const done =
    session !== undefined && opensUrls(session.hello)
      ? notificationOf('elicitation/complete', JSON.stringify({ elicitationId: session.nonce }))
      : '';
  return {
    first: '',
    connected: done + notificationOf('tools/list_changed'),
    ended: ({ code }) => (code === 'overloaded' ? `retry: ${reconnectAfter}\n\n` : ''),
  };
}

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
  const closed = eventOf(completed(id, meta));
  return {
    // A client that only wants other changes will get nothing else.
    isOver: !hearsOfTools,
    first: hearsOfTools ? acknowledged : acknowledged + closed,
    connected: changed + closed,
    ended: (problem) =>
      problem.code === 'overloaded'
        ? closed
        : eventOf(refusalOf(id, streamEnded(problem, requestId))),
  };
}
