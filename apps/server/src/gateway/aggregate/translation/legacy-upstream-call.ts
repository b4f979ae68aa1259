import { toProblem } from '../../../http/problem-response.ts';
import { METHOD_NOT_FOUND, URL_ELICITATION_REQUIRED } from '../../../mcp/errors.ts';
import type { JsonNode } from '../../../mcp/json/node.ts';
import { isHeard } from '../../../mcp/log-levels.ts';
import { messageOf, type Reply, responseTo } from '../../../mcp/server/reply.ts';
import type { ReadMessage } from '../../../mcp/translation/message-reader.ts';
import { toLegacyRequest } from '../../../mcp/translation/requests.ts';
import {
  errorCodeOf,
  toModernResponse,
  withProgressToken,
} from '../../../mcp/translation/responses.ts';
import { isPassed, kindOf, logLevelOf } from '../../../mcp/translation/server-messages.ts';
import type { CallRequest } from '../../ports.ts';
import { collect } from '../collect.ts';
import { failureError } from '../failure-reply.ts';
import { isRefusedInLostSession } from '../lists/lost-sessions.ts';
import { serverInfoJson, serverInfoOf } from '../server-info.ts';
import { ownRequestId } from '../server-request-ids.ts';
import { envelopeFor } from '../target.ts';
import type { Unanswered, UpstreamFailure } from '../upstream-answer.ts';
import { callUpstream, type UpstreamCall } from '../upstream-calls.ts';
import { type Forwarding, upstreamRequest } from '../upstream-request.ts';
import { ClientStream } from './client-stream.ts';
import { legacyHeaders } from './headers.ts';
import { askToOpenUrls, type Declared, needsLegacyClient } from './modern-client.ts';
import type { TranslatedCall, TranslationDeps } from './translated-call.ts';
import { type MessageTaker, UpstreamMessages } from './upstream-messages.ts';

/** How often the stream of one call is resumed. */
const MAX_RESUMED = 100;

/** Milliseconds before that, where the upstream names no time; the longest that it may name. */
const RESUME_AFTER = 1_000;
const LAST_RESUME_AFTER = 30_000;

/**
 * A request of a modern client to a legacy upstream. Clients of one token share a session there, so that its id and its
 * progress token are ours.
 */
export class LegacyUpstreamCall implements MessageTaker {
  readonly #given: TranslatedCall;
  readonly #request: ReadMessage;
  readonly #deps: TranslationDeps;
  readonly #stream: ClientStream;
  readonly #declared: Declared;
  /** Raw JSON. */
  readonly #ownId = JSON.stringify(ownRequestId());
  #response: UpstreamMessages | undefined;
  #sent: UpstreamCall | undefined;
  #settle: ((unanswered: Unanswered | undefined) => void) | undefined;
  isDone = false;
  #mayRepeat = true;
  #resumed = 0;

  /** @param request its body, read @param declared by it */
  constructor(
    given: TranslatedCall,
    request: ReadMessage,
    declared: Declared,
    deps: TranslationDeps,
  ) {
    this.#given = given;
    this.#request = request;
    this.#deps = deps;
    this.#stream = new ClientStream(given.client.call);
    this.#declared = declared;
  }

  /** @returns undefined once the client has its answer */
  run(): Promise<Unanswered | undefined> {
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#start();
    });
  }

  #start(): void {
    // 2026-07-28 cancellation: a client cancels a request by closing its connection.
    this.#given.client.call.onClose(() => {
      if (!this.isDone) this.#cancelUpstream();
      this.isDone = true;
      this.#response?.clientClosed();
      this.#settle?.(undefined);
    });
    this.#send();
  }

  take(message: ReadMessage, status: number): void {
    if (this.isDone) return;
    const kind = kindOf(message);
    // A server that has begun to answer has the session.
    if (kind?.kind === 'notification' || kind?.kind === 'request') this.#mayRepeat = false;
    if (kind?.kind === 'notification') this.#notify(kind.method, message);
    else if (kind?.kind === 'request') this.#refuse(kind.id, kind.method);
    else if (kind?.id === this.#ownId || kind?.id === 'null') {
      this.isDone = true;
      const pass = (): void => this.#answer(message);
      const code = errorCodeOf(message);
      if (code === undefined || this.#stream.isBegun) pass();
      else void this.#leave({ kind: 'error', status, code, pass });
    }
  }

  keepAlive(): void {
    if (!this.isDone) this.#stream.keepAlive();
  }

  fail(failure: UpstreamFailure): void {
    if (this.isDone) return;
    this.isDone = true;
    const { target, message } = this.#given;
    if (this.#stream.isBegun) {
      const error = failureError(failure, target.attachment.integrationId);
      this.#stream.reply(message.id, { error });
    } else void this.#leave(failure);
  }

  /** Nothing has been sent to the client: the request is sent once more if it was refused because its session is lost. */
  async #leave(unanswered: Unanswered): Promise<void> {
    const { client } = this.#given;
    try {
      const isLost = await this.#isRefusedInLostSession(unanswered);
      if (isLost && !client.call.response.isGone) {
        this.isDone = false;
        this.#send();
      } else this.#settle?.(unanswered);
    } catch (error) {
      client.call.refuse(error);
    }
  }

  async #isRefusedInLostSession(unanswered: Unanswered): Promise<boolean> {
    const { client, side, target } = this.#given;
    if (!this.#mayRepeat || this.#sent === undefined) return false;
    this.#mayRepeat = false;
    const inSession = { ...client, session: side.session };
    return isRefusedInLostSession(unanswered, this.#sent, inSession, target.attachment, this.#deps);
  }

  /** 2025-11-25 transports, "Resumability": a server may end the stream, and goes on with it when it is asked to. */
  resume(lastEventId: string, retry = RESUME_AFTER): boolean {
    if (this.isDone) return true;
    this.#resumed += 1;
    // The call has run: it is not sent again if the session is gone.
    this.#mayRepeat = false;
    if (this.#resumed > MAX_RESUMED) return false;
    const get = async (): Promise<void> => {
      const { client, side, target } = this.#given;
      // The client may have lost its permission meanwhile.
      await this.#deps.readmit(client);
      if (this.isDone) return;
      const headers = { ...legacyHeaders(this.#given), 'last-event-id': lastEventId };
      const resumed = { method: 'GET', headers, isWithoutMcp: true, isResumed: true } as const;
      const inSession = { ...client, session: side.session };
      this.#call(upstreamRequest(inSession, target.attachment, resumed));
    };
    const refuse = (error: unknown): void =>
      this.fail({ kind: 'problem', problem: toProblem(error) });
    setTimeout(() => get().catch(refuse), Math.min(retry, LAST_RESUME_AFTER)).unref();
    return true;
  }

  #send(): void {
    if (this.isDone) return;
    const body = toLegacyRequest(this.#request, this.#ownId);
    const { message, target } = this.#given;
    const token = message.progressToken && this.#ownId;
    const envelope = envelopeFor(message, target, this.#ownId, token);
    this.#call(this.#upstreamRequest({ body, envelope, isUse: true }));
  }

  #call(request: CallRequest): void {
    const { client, target } = this.#given;
    this.#sent = callUpstream(client, target.attachment, request, this.#deps);
    this.#response = new UpstreamMessages(this.#sent, client.call, 'legacy', this);
  }

  #notify(method: string, message: ReadMessage): void {
    const meta = paramsOf(this.#request)?.member('_meta');
    if (method === 'notifications/progress') {
      const token = meta?.member('progressToken')?.raw(this.#request.bytes);
      const isOwn = paramsOf(message)?.member('progressToken')?.raw(message.bytes) === this.#ownId;
      if (isOwn && token !== undefined) this.#stream.send(withProgressToken(message, token));
    } else if (method === 'notifications/message') {
      if (this.#hears(message)) this.#stream.send(message.bytes);
    } else if (isPassed(method)) this.#stream.send(message.bytes);
  }

  /** 2026-07-28 logging: only a request that names a level gets messages, of that level and above. */
  #hears(message: ReadMessage): boolean {
    const { logLevel } = this.#declared;
    return logLevel !== undefined && isHeard(logLevelOf(message), logLevel);
  }

  #answer(message: ReadMessage): void {
    const { client, message: request } = this.#given;
    const { method = '', id } = request;
    const code = errorCodeOf(message);
    const { version } = this.#deps;
    if (code === URL_ELICITATION_REQUIRED) {
      const { reply, status } = askToOpenUrls(
        message,
        method,
        this.#declared,
        serverInfoOf(client.application, version),
      );
      this.#stream.reply(id, reply, status);
      return;
    }
    const serverInfo = serverInfoJson(client.application, version);
    const json = toModernResponse(message, { id, method }, serverInfo);
    this.#stream.answer(json, code === METHOD_NOT_FOUND ? 404 : 200);
  }

  /** The upstream asks during the call: a client without a session has no way to answer it. */
  #refuse(id: string, method: string): void {
    if (method === 'ping') {
      this.#tell(responseTo(id, { result: {} }));
      return;
    }
    this.isDone = true;
    const { client, target, message } = this.#given;
    const error = { code: METHOD_NOT_FOUND, message: 'The client cannot be asked.' };
    this.#tell(responseTo(id, { error }));
    this.#cancelUpstream();
    const url = `${this.#deps.publicUrl}/mcp/${client.application.id}/${target.attachment.integrationId}`;
    const { reply, status } = needsLegacyClient(method, this.#declared, target.attachment, url);
    this.#end(message.id, reply, status);
  }

  #end(id: string, reply: Reply, status: number): void {
    this.#stream.reply(id, reply, status);
    this.#response?.close();
  }

  /** Only what has gone up: a request that still waits for its session is not sent once its client has left. */
  #cancelUpstream(): void {
    const hasGoneUp = this.#resumed > 0 || this.#sent?.isSent === true;
    if (!hasGoneUp) return;
    const params = `{"requestId":${this.#ownId}}`;
    this.#tell(messageOf('notifications/cancelled', params));
  }

  /** Sends a message of ours to the upstream. */
  #tell(json: string): void {
    const { client, target } = this.#given;
    const request = this.#upstreamRequest({ body: Buffer.from(json), isOwn: true });
    void collect(callUpstream(client, target.attachment, request, this.#deps), null);
  }

  #upstreamRequest(
    message: Pick<Forwarding, 'body' | 'envelope' | 'isOwn' | 'isUse'>,
  ): CallRequest {
    const { client, side, target } = this.#given;
    const { call, application } = client;
    const { body, envelope, isOwn, isUse } = message;
    const headers = legacyHeaders(this.#given);
    const forwarding = { body, envelope, isOwn, isUse, headers, isWithoutMcp: true };
    return upstreamRequest(
      { call, application, session: side.session },
      target.attachment,
      forwarding,
    );
  }
}

function paramsOf({ object }: ReadMessage): JsonNode | undefined {
  return object.member('params');
}
