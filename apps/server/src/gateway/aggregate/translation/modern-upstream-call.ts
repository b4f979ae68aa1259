import { setTimeout as delay } from 'node:timers/promises';
import { toProblem } from '../../../http/problem-response.ts';
import { CAPABILITY_MISSING, HEADER_MISMATCH } from '../../../mcp/errors.ts';
import { NAME_SOURCES } from '../../../mcp/header-values.ts';
import { paramHeadersOf } from '../../../mcp/param-headers.ts';
import type { ReadMessage } from '../../../mcp/translation/message-reader.ts';
import { metaOfHello, type Round, toModernRequest } from '../../../mcp/translation/requests.ts';
import { errorCodeOf, toLegacyResponse } from '../../../mcp/translation/responses.ts';
import { isPassed, kindOf } from '../../../mcp/translation/server-messages.ts';
import type { ProblemError } from '../../../platform/problem-error.ts';
import { QUESTION_LIFETIME } from '../../../sessions/questions.ts';
import type { AggregateSession } from '../../../sessions/sessions.ts';
import { readmitTo } from '../../admission.ts';
import type { HeldCall } from '../../held-calls.ts';
import type { ReplacingHeaders } from '../../inbound.ts';
import { sessionEnded } from '../../problems.ts';
import { rowsOfAccess } from '../../reauthorizations.ts';
import type { InSession } from '../client-call.ts';
import { failureError } from '../failure-reply.ts';
import { ownRequestId } from '../server-request-ids.ts';
import { envelopeFor } from '../target.ts';
import type { Unanswered } from '../upstream-answer.ts';
import { callUpstream, type UpstreamCall } from '../upstream-calls.ts';
import { modernHeaders, upstreamRequest } from '../upstream-request.ts';
import { askClient } from './ask-client.ts';
import {
  askedInput,
  CallEnd,
  capabilityMissing,
  type InputRequest,
  tooLong,
  tooManyQuestions,
} from './asked-input.ts';
import { ClientStream } from './client-stream.ts';
import type { TranslatedCall, TranslationDeps } from './translated-call.ts';
import { UpstreamMessages } from './upstream-messages.ts';

/** Questions of one call, one after another. */
const MAX_ROUNDS = 10;

/** Milliseconds before a call is repeated that nothing was asked for. */
const PAUSE = 1_000;

/** The headers of a tool's call that mirror its arguments, which a legacy client does not send. */
type ParamHeaders = Readonly<Record<string, string>>;

/** A request of a legacy client to a modern upstream, repeated with what the client answers to the upstream's questions. */
export class ModernUpstreamCall implements HeldCall {
  readonly #given: TranslatedCall;
  readonly #request: ReadMessage;
  readonly #session: AggregateSession;
  readonly #deps: TranslationDeps;
  readonly #stream: ClientStream;
  /** As it was admitted last. */
  #client: InSession;
  #sent: UpstreamCall | undefined;
  /** When it was sent, by the clock of `performance`. */
  #sentAt = 0;
  /** Nothing is upstream: the client is asked, or the call is about to be sent. */
  #isPausing = true;
  #rounds = 0;
  #timer: NodeJS.Timeout | undefined;
  #end: CallEnd | undefined;
  #listIndex = -1;
  /** Ends a pause. */
  #interrupt: ((end: CallEnd) => void) | undefined;

  /** @param request its body, read @param session of the client */
  constructor(
    given: TranslatedCall,
    request: ReadMessage,
    session: AggregateSession,
    deps: TranslationDeps,
  ) {
    this.#given = given;
    this.#client = given.client;
    this.#request = request;
    this.#session = session;
    this.#deps = deps;
    this.#stream = new ClientStream(given.client.call, deps.callDeps.limits);
  }

  /** @returns undefined once the client has its answer */
  async run(): Promise<Unanswered | undefined> {
    const { client, message } = this.#given;
    const { clientRequests, callDeps } = this.#deps;
    client.call.onClose(() => {
      if (!client.call.response.isSent) this.#endBy(new CallEnd());
    });
    const request = clientRequests.begin(this.#session, message.id, () => {
      this.#stream.close();
      this.#endBy(new CallEnd());
    });
    callDeps.openCalls.hold(this);
    try {
      return await this.#callInRounds();
    } catch (error) {
      return this.#fail(error);
    } finally {
      clearTimeout(this.#timer);
      clientRequests.end(request);
      callDeps.openCalls.release(this);
    }
  }

  async #callInRounds(): Promise<Unanswered | undefined> {
    const { target, message: request } = this.#given;
    const { method = '', id } = request;
    const { integrationId } = target.attachment;
    const { hello } = this.#session;
    const stream = this.#stream;
    let mayRepeatHeaders = method === 'tools/call';
    let paramHeaders = mayRepeatHeaders ? await this.#paramHeaders('known') : {};
    let input: Omit<Round, 'id'> = {};
    while (true) {
      const { message, status } = await this.#send(input, paramHeaders);
      const result = message.object.member('result');
      const code = errorCodeOf(message);
      if (code === CAPABILITY_MISSING) throw capabilityMissing(integrationId);
      if (code === HEADER_MISMATCH && mayRepeatHeaders) {
        // What a server refuses for its headers has not been executed.
        mayRepeatHeaders = false;
        paramHeaders = await this.#paramHeaders('part');
      } else if (result?.member('resultType')?.raw(message.bytes) === '"input_required"') {
        const asked = askedInput(message, { hello, method, integrationId });
        if ('reply' in asked) {
          stream.reply(id, asked.reply);
          return undefined;
        }
        const requestState = result.member('requestState')?.raw(message.bytes);
        input = { requestState, inputResponses: await this.#ask(asked.requests) };
      } else {
        const pass = (): void => stream.answer(toLegacyResponse(message, { id, method }));
        if (code !== undefined && !stream.isBegun) return { kind: 'error', status, code, pass };
        pass();
        return undefined;
      }
    }
  }

  /** Sends the request, passes on what comes before its answer, and waits for that. @throws CallEnd */
  async #send(
    input: Omit<Round, 'id'>,
    paramHeaders: ParamHeaders,
  ): Promise<{ readonly message: ReadMessage; readonly status: number }> {
    if (this.#end !== undefined) throw this.#end;
    const { target } = this.#given;
    const { hello, logLevel } = this.#session;
    const { call, application } = this.#client;
    const stream = this.#stream;
    const id = JSON.stringify(ownRequestId());
    const meta = metaOfHello(hello, logLevel);
    const withoutSession = { call, application, session: undefined };
    const request = upstreamRequest(withoutSession, target.attachment, {
      body: toModernRequest(this.#request, meta, { id, ...input }),
      envelope: envelopeFor(this.#given.message, target, id),
      headers: { ...this.#ownHeaders(), ...paramHeaders },
    });
    this.#isPausing = false;
    this.#sentAt = performance.now();
    this.#sent = callUpstream(this.#client, target.attachment, request, this.#deps);
    const messages = new UpstreamMessages(this.#sent, { call, era: 'modern', stream });
    for await (const message of messages) {
      const kind = kindOf(message);
      if (kind?.kind === 'notification' && isPassed(kind.method)) stream.send(message.bytes);
      else if (kind?.kind === 'response' && (kind.id === id || kind.id === 'null')) {
        this.#isPausing = true;
        return { message, status: messages.status };
      }
    }
    throw this.#end ?? new CallEnd(messages.failure);
  }

  #ownHeaders(): ReplacingHeaders {
    const { message, target } = this.#given;
    const { method = '', uri } = message;
    const source = NAME_SOURCES.get(method);
    return modernHeaders(method, source === 'uri' ? uri : source && target.named?.name);
  }

  /** @returns the client's answers, as raw JSON @throws CallEnd */
  async #ask(requests: readonly InputRequest[]): Promise<string | undefined> {
    this.#rounds += 1;
    if (this.#rounds > MAX_ROUNDS) throw tooManyQuestions();
    if (this.#end !== undefined) throw this.#end;
    this.#timer ??= setTimeout(() => this.#endBy(tooLong()), QUESTION_LIFETIME).unref();
    const end = new Promise<never>((_, reject) => {
      this.#interrupt = reject;
    });
    let answers: string | undefined;
    if (requests.length === 0) {
      // 2026-07-28: without a question the call is only to be repeated.
      await Promise.race([delay(PAUSE, undefined, { ref: false }), end]);
    } else {
      const { call } = this.#client;
      const client = { call, session: this.#session, stream: this.#stream };
      const asking = askClient(requests, client, this.#deps.sessions.questions, end);
      this.#deps.callDeps.openCalls.reauthorizeHeldIfChanged(this, this.#sentAt);
      answers = await asking;
    }
    // The client may have lost its permission while it was asked.
    this.#client = await this.#deps.readmit(this.#given.client);
    return answers;
  }

  /** By the tool's definition as this node has read it last, or as it is now. */
  async #paramHeaders(source: 'known' | 'part'): Promise<ParamHeaders> {
    const { message, target } = this.#given;
    const { lists } = this.#deps;
    const client = this.#client;
    const list =
      source === 'known'
        ? await lists.known(client, target.attachment, 'tools')
        : (await lists.part(client, target.attachment, 'tools')).list;
    const tool = list?.entries.find(({ identifier }) => identifier === message.name);
    if (tool === undefined) return {};
    const { object, bytes } = this.#request;
    const args = object.member('params')?.member('arguments')?.raw(bytes) ?? '{}';
    return paramHeadersOf(tool.bytes, Buffer.from(args));
  }

  #fail(thrown: unknown): Unanswered | undefined {
    const failure =
      thrown instanceof CallEnd
        ? thrown.failure
        : ({ kind: 'problem', problem: toProblem(thrown) } as const);
    if (failure === undefined || this.#stream.isOver) return undefined;
    if (!this.#stream.isBegun) return failure;
    const { target, message } = this.#given;
    const error = failureError(failure, target.attachment.integrationId);
    this.#stream.reply(message.id, { error });
    return undefined;
  }

  #endBy(end: CallEnd): void {
    this.#end ??= end;
    this.#sent?.abort();
    this.#interrupt?.(end);
  }

  get listIndex(): number {
    return this.#listIndex;
  }

  listedAt(index: number): void {
    this.#listIndex = index;
  }

  rows(): readonly string[] {
    const { caller, application } = this.#client;
    if (!this.#isPausing) return [];
    const { integrationId } = this.#given.target.attachment;
    const place = { applicationId: application.id, integrationId };
    return rowsOfAccess(caller, place, this.#session.id);
  }

  /** A missing credential does not end the call: the person may connect before they answer. */
  async reauthorize(): Promise<void> {
    if (!this.#isPausing) return;
    const { key, attachmentId } = this.#given.target.attachment;
    const { caller } = await this.#deps.readmit(this.#client);
    const { route } = await readmitTo(this.#deps.callDeps, caller, key);
    if (route.attachmentId !== attachmentId) throw sessionEnded();
  }

  cut(problem: ProblemError): void {
    this.#endBy(new CallEnd({ kind: 'problem', problem }));
  }

  keepAlive(now: number): void {
    this.#stream.keepAlive(now);
  }
}
