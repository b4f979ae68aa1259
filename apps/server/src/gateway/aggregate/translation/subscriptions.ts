import { INVALID_PARAMS, METHOD_NOT_FOUND } from '../../../mcp/errors.ts';
import { fieldsOf } from '../../../mcp/server/messages.ts';
import { failed, type Reply, responseTo } from '../../../mcp/server/reply.ts';
import type { ReadMessage } from '../../../mcp/translation/message-reader.ts';
import { errorCodeOf, toLegacyResponse } from '../../../mcp/translation/responses.ts';
import { kindOf } from '../../../mcp/translation/server-messages.ts';
import type { AggregateSession } from '../../../sessions/sessions.ts';
import { timedOut } from '../../problems.ts';
import type { InSession } from '../client-call.ts';
import { listenRequest } from '../listen-request.ts';
import { ownRequestId } from '../server-request-ids.ts';
import type { Unanswered, UpstreamFailure } from '../upstream-answer.ts';
import { callUpstream } from '../upstream-calls.ts';
import type { TranslatedCall, TranslationDeps } from './translated-call.ts';
import { type MessageTaker, UpstreamMessages } from './upstream-messages.ts';

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/** Milliseconds in which an upstream acknowledges. */
const WITHIN = 10_000;

/** Bytes of an acknowledgement. */
const MAX_ACKNOWLEDGEMENT = 64 * 1024;

/**
 * `resources/subscribe` of a legacy client at a modern upstream. The upstream is asked whether it would tell of the resource,
 * by a `subscriptions/listen` that ends with its acknowledgement; the streams of the session hear of it from then on.
 */
export class SubscribeCall implements MessageTaker {
  readonly #given: TranslatedCall;
  readonly #session: AggregateSession;
  readonly #deps: TranslationDeps;
  readonly #uri: string;
  /** Raw JSON. */
  readonly #ownId = JSON.stringify(ownRequestId());
  #response: UpstreamMessages | undefined;
  #settle: ((unanswered: Unanswered | undefined) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  isDone = false;

  constructor(given: TranslatedCall, session: AggregateSession, deps: TranslationDeps) {
    this.#given = given;
    this.#session = session;
    this.#deps = deps;
    this.#uri = given.message.uri ?? '';
  }

  /** @returns undefined once the client has its answer */
  run(): Promise<Unanswered | undefined> {
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#start();
    });
  }

  #start(): void {
    const { client, target } = this.#given;
    const { attachment } = target;
    client.call.onClose(() => this.#end());
    const late = (): void => this.fail({ kind: 'problem', problem: timedOut() });
    this.#timer = setTimeout(late, WITHIN).unref();
    const notifications = { resourceSubscriptions: [this.#uri] };
    const filter = { id: this.#ownId, notifications, isOwn: false };
    const request = listenRequest(client, attachment, this.#session, filter);
    const sent = callUpstream(client, attachment, request, this.#deps);
    this.#response = new UpstreamMessages(sent, client.call, 'modern', this);
  }

  take(message: ReadMessage, status: number): void {
    if (this.isDone) return;
    const kind = kindOf(message);
    if (kind?.kind === 'notification' && kind.method === ACKNOWLEDGED) {
      this.#end();
      if (this.#isAgreed(message)) void this.#store();
      else
        this.#reply(failed(METHOD_NOT_FOUND, 'The integration has no subscriptions to resources.'));
    } else if (kind?.kind === 'response' && (kind.id === this.#ownId || kind.id === 'null')) {
      this.#answer(message, status);
    }
  }

  keepAlive(): void {}

  fail(failure: UpstreamFailure): void {
    if (!this.isDone) this.#end(failure);
  }

  #isAgreed({ bytes }: ReadMessage): boolean {
    if (bytes.length > MAX_ACKNOWLEDGEMENT) return false;
    const { notifications } = fieldsOf(fieldsOf(JSON.parse(bytes.toString())).params);
    const { resourceSubscriptions: agreed } = fieldsOf(notifications);
    return Array.isArray(agreed) && agreed.includes(this.#uri);
  }

  async #store(): Promise<void> {
    const { target, client } = this.#given;
    const { aggregates } = this.#deps.sessions;
    try {
      const { attachmentId } = target.attachment;
      const isStored = await aggregates.subscribe(this.#session, attachmentId, this.#uri);
      const full = failed(INVALID_PARAMS, 'The session has too many subscriptions.');
      this.#reply(isStored ? { result: {} } : full);
    } catch (error) {
      client.call.refuse(error);
    }
  }

  #answer(message: ReadMessage, status: number): void {
    const { client, message: request } = this.#given;
    const { method = '', id } = request;
    const code = errorCodeOf(message);
    const pass = (): void => client.call.answerBytes(toLegacyResponse(message, { id, method }));
    this.#end(code === undefined ? undefined : { kind: 'error', status, code, pass });
    if (code === undefined) pass();
  }

  #reply(reply: Reply): void {
    const { client, message } = this.#given;
    client.call.answer(200, responseTo(message.id, reply));
  }

  #end(unanswered?: Unanswered): void {
    this.isDone = true;
    clearTimeout(this.#timer);
    this.#response?.close();
    this.#settle?.(unanswered);
  }
}

/** Ends a subscription at a modern integration. One that does not exist is no error, as with most servers. */
export async function unsubscribe(
  { call }: Pick<InSession, 'call'>,
  session: AggregateSession,
  attachmentId: string,
  { id, uri = '' }: Pick<TranslatedCall['message'], 'id' | 'uri'>,
  { sessions }: Pick<TranslationDeps, 'sessions'>,
): Promise<void> {
  await sessions.aggregates.unsubscribe(session, attachmentId, uri);
  call.reply(id, { result: {} });
}
