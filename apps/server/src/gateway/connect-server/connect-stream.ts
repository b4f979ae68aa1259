import { opensUrls } from '../../mcp/client-hello.ts';
import { fieldsOf, isObject, type RpcRequest } from '../../mcp/server/messages.ts';
import { META } from '../../mcp/server/modern-check.ts';
import { completed, eventOf, notificationOf, refusalOf } from '../../mcp/server/reply.ts';
import { EventWriter } from '../../mcp/sse/event-writer.ts';
import type { ProblemError } from '../../platform/problem-error.ts';
import type { ConnectSession } from '../../sessions/connect-session-ids.ts';
import type { Call, OngoingExchange } from '../call.ts';
import type { GatewayLimits } from '../limits.ts';
import { streamEnded } from '../problems.ts';
import { beginStream } from '../response-head.ts';

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

/** The connect server's event stream, open until the person has connected. */
export class ConnectStream implements OngoingExchange {
  readonly #call: Call;
  readonly #texts: StreamTexts;
  readonly #events: EventWriter;

  constructor(call: Call, texts: StreamTexts, { keepAlive }: Pick<GatewayLimits, 'keepAlive'>) {
    this.#call = call;
    this.#texts = texts;
    this.#events = new EventWriter(call, { keepAlive, isOwn: true, mayBegin: true });
  }

  start(): void {
    const call = this.#call;
    call.startExchange(this);
    call.startStream();
    beginStream(call);
    this.#write(this.#texts.first);
  }

  abort(): void {}

  keepAlive(now: number): void {
    this.#events.keepAlive(now);
  }

  announceEnd(problem: ProblemError): void {
    this.#write(this.#texts.ended(problem));
  }

  /** There is a credential, or nothing that the person could do: what the client knows is out of date. */
  onSettled(): void {
    if (this.#call.hasEnded) return;
    this.#write(this.#texts.connected);
    this.end();
  }

  end(): void {
    this.#call.response.end();
    this.#call.end('connect');
  }

  #write(text: string): void {
    if (text !== '') this.#events.send(text);
  }
}
