import { setTimeout as delay } from 'node:timers/promises';
import { toProblem } from '../../../http/problem-response.ts';
import { METHOD_NOT_FOUND, URL_ELICITATION_REQUIRED } from '../../../mcp/errors.ts';
import { isHeard } from '../../../mcp/log-levels.ts';
import { messageOf, responseTo } from '../../../mcp/server/reply.ts';
import type { ReadMessage } from '../../../mcp/translation/message-reader.ts';
import { toLegacyRequest } from '../../../mcp/translation/requests.ts';
import {
  errorCodeOf,
  toModernResponse,
  withProgressToken,
} from '../../../mcp/translation/responses.ts';
import { isPassed, kindOf, logLevelOf } from '../../../mcp/translation/server-messages.ts';
import { serverInfoJson, serverInfoOf } from '../applications.ts';
import { collect } from '../collect.ts';
import { failureError } from '../failure-reply.ts';
import { isRefusedInLostSession } from '../lists/lost-sessions.ts';
import { ownRequestId } from '../server-request-ids.ts';
import { envelopeFor } from '../target.ts';
import type { Unanswered, UpstreamFailure } from '../upstream-answer.ts';
import { callUpstream, type UpstreamCall } from '../upstream-calls.ts';
import { type Forwarding, legacyHeaders, upstreamRequest } from '../upstream-request.ts';
import { ClientStream } from './client-stream.ts';
import { askToOpenUrls, type Declared, needsLegacyClient } from './modern-client.ts';
import type { TranslatedCall, TranslationDeps } from './translated-call.ts';
import { type Resumption, UpstreamMessages } from './upstream-messages.ts';

/** How often the stream of one call is resumed. */
const MAX_RESUMED = 100;

/** Milliseconds before that, where the upstream names no time; the longest that it may name. */
const RESUME_AFTER = 1_000;
const LAST_RESUME_AFTER = 30_000;

/**
 * A request of a modern client to a legacy upstream. Clients of one token share a session there, so that its id and its
 * progress token are ours.
 */
export class LegacyUpstreamCall {
  readonly #given: TranslatedCall;
  readonly #request: ReadMessage;
  readonly #declared: Declared;
  readonly #deps: TranslationDeps;
  readonly #stream: ClientStream;
  /** Raw JSON. */
  readonly #ownId = JSON.stringify(ownRequestId());
  #sent: UpstreamCall | undefined;
  /** The upstream has the request, or will have it, and its answer is awaited. */
  #isAwaited = false;
  /** Nothing shows that the upstream has begun to execute the request. */
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
    this.#stream = new ClientStream(given.client.call, deps.callDeps.limits);
    this.#declared = declared;
  }

  /** Sends the request, once more if it was refused because its session is lost. @returns undefined once the client has its answer */
  async run(): Promise<Unanswered | undefined> {
    const { client, side, target } = this.#given;
    const { call } = client;
    call.onClose(() => this.#noteClosed());
    const sent = this.#send();
    const unanswered = await this.#pass(sent);
    if (unanswered === undefined || !this.#mayRepeat) return unanswered;
    const inSession = { ...client, session: side.session };
    const { attachment } = target;
    if (!(await isRefusedInLostSession(unanswered, sent, inSession, attachment, this.#deps)))
      return unanswered;
    return call.response.isGone ? undefined : this.#pass(this.#send());
  }

  #send(): UpstreamCall {
    const { message, target } = this.#given;
    const body = toLegacyRequest(this.#request, this.#ownId);
    const token = message.progressToken && this.#ownId;
    const envelope = envelopeFor(message, target, this.#ownId, token);
    const headers = legacyHeaders(this.#given.side.session);
    this.#isAwaited = true;
    this.#sent = this.#call({ body, envelope, isUse: true, headers, isWithoutMcp: true });
    return this.#sent;
  }

  /** Passes on what the upstream sends, up to its answer. */
  async #pass(first: UpstreamCall): Promise<Unanswered | undefined> {
    const { client } = this.#given;
    const stream = this.#stream;
    let sent = first;
    try {
      while (true) {
        const messages = new UpstreamMessages(sent, { call: client.call, era: 'legacy', stream });
        for await (const message of messages) {
          const kind = kindOf(message);
          if (kind === undefined) continue;
          if (kind.kind === 'response') {
            const isAnswer = kind.id === this.#ownId || kind.id === 'null';
            if (isAnswer) return this.#answer(message, messages.status);
            continue;
          }
          // A server that has begun to answer has the session.
          this.#mayRepeat = false;
          if (kind.kind === 'notification') this.#notify(kind.method, message);
          else if (kind.method === 'ping') this.#tell(responseTo(kind.id, { result: {} }));
          else return this.#refuse(kind.id, kind.method);
        }
        const { resumption } = messages;
        if (resumption === undefined || this.#resumed === MAX_RESUMED) {
          return this.#fail(messages.failure);
        }
        if (!stream.isOver) await this.#waitToResume(resumption);
        if (stream.isOver) return undefined;
        sent = this.#resume(resumption);
      }
    } catch (error) {
      return this.#fail({ kind: 'problem', problem: toProblem(error) });
    }
  }

  /** 2025-11-25 transports, "Resumability": a server may end the stream, and goes on with it when it is asked to. */
  async #waitToResume({ retry = RESUME_AFTER }: Resumption): Promise<void> {
    // The call has run: it is not sent again if the session is gone.
    this.#mayRepeat = false;
    this.#resumed += 1;
    await delay(Math.min(retry, LAST_RESUME_AFTER), undefined, { ref: false });
    // The client may have lost its permission meanwhile.
    await this.#deps.readmit(this.#given.client);
  }

  #resume({ lastEventId }: Resumption): UpstreamCall {
    const headers = { ...legacyHeaders(this.#given.side.session), 'last-event-id': lastEventId };
    this.#sent = this.#call({ method: 'GET', isResumed: true, headers, isWithoutMcp: true });
    return this.#sent;
  }

  #notify(method: string, message: ReadMessage): void {
    const stream = this.#stream;
    if (method === 'notifications/progress') {
      const { bytes, object } = this.#request;
      const token = object.member('params')?.member('_meta')?.member('progressToken')?.raw(bytes);
      const given = message.object.member('params')?.member('progressToken')?.raw(message.bytes);
      if (given === this.#ownId && token !== undefined) {
        stream.send(withProgressToken(message, token));
      }
    } else if (method !== 'notifications/message' ? isPassed(method) : this.#hears(message)) {
      stream.send(message.bytes);
    }
  }

  /** 2026-07-28 logging: only a request that names a level gets messages, of that level and above. */
  #hears(message: ReadMessage): boolean {
    const { logLevel } = this.#declared;
    return logLevel !== undefined && isHeard(logLevelOf(message), logLevel);
  }

  #answer(message: ReadMessage, status: number): Unanswered | undefined {
    this.#isAwaited = false;
    const code = errorCodeOf(message);
    if (code !== undefined && !this.#stream.isBegun) {
      return { kind: 'error', status, code, pass: () => this.#passAnswer(message, code) };
    }
    this.#passAnswer(message, code);
    return undefined;
  }

  #passAnswer(message: ReadMessage, code: number | undefined): void {
    const { client, message: request } = this.#given;
    const { method = '', id } = request;
    const { version } = this.#deps;
    if (code === URL_ELICITATION_REQUIRED) {
      const serverInfo = serverInfoOf(client.application, version);
      const { reply, status } = askToOpenUrls(message, method, this.#declared, serverInfo);
      this.#stream.reply(id, reply, status);
      return;
    }
    const serverInfo = serverInfoJson(client.application, version);
    const json = toModernResponse(message, { id, method }, serverInfo);
    this.#stream.answer(json, code === METHOD_NOT_FOUND ? 404 : 200);
  }

  /** The upstream asks during the call: a client without a session has no way to answer it. */
  #refuse(questionId: string, method: string): undefined {
    this.#isAwaited = false;
    const { client, target, message } = this.#given;
    const error = { code: METHOD_NOT_FOUND, message: 'The client cannot be asked.' };
    this.#tell(responseTo(questionId, { error }));
    this.#cancel();
    const url = `${this.#deps.publicUrl}/mcp/${client.application.id}/${target.attachment.integrationId}`;
    const { reply, status } = needsLegacyClient(method, this.#declared, target.attachment, url);
    this.#stream.reply(message.id, reply, status);
    this.#sent?.abort();
  }

  #fail(failure: UpstreamFailure): UpstreamFailure | undefined {
    this.#isAwaited = false;
    const { target, message } = this.#given;
    if (!this.#stream.isBegun) return failure;
    const error = failureError(failure, target.attachment.integrationId);
    this.#stream.reply(message.id, { error });
    return undefined;
  }

  /** 2026-07-28 cancellation: a client cancels a request by closing its connection. */
  #noteClosed(): void {
    // A request that still waits for its session is not sent once its client has left.
    if (this.#isAwaited && (this.#resumed > 0 || this.#sent?.isSent === true)) this.#cancel();
    if (!this.#given.client.call.response.isSent) this.#sent?.abort();
  }

  #cancel(): void {
    this.#tell(messageOf('notifications/cancelled', `{"requestId":${this.#ownId}}`));
  }

  /** Sends a message of ours to the upstream. */
  #tell(json: string): void {
    const headers = legacyHeaders(this.#given.side.session);
    const message = { body: Buffer.from(json), isOwn: true, headers, isWithoutMcp: true };
    void collect(this.#call(message), null);
  }

  #call(forwarding: Forwarding): UpstreamCall {
    const { client, side, target } = this.#given;
    const { call, application } = client;
    const inSession = { call, application, session: side.session };
    const request = upstreamRequest(inSession, target.attachment, forwarding);
    return callUpstream(client, target.attachment, request, this.#deps);
  }
}
