import { toProblem } from '../../../http/problem-response.ts';
import { dependenciesOf, subjectIdOf } from '../../../identity/caller.ts';
import type { SplicedList } from '../../../mcp/aggregate/splice-list.ts';
import { CAPABILITY_MISSING, HEADER_MISMATCH } from '../../../mcp/errors.ts';
import { paramHeadersOf } from '../../../mcp/param-headers.ts';
import type { RpcRefusal } from '../../../mcp/server/reply.ts';
import type { ReadMessage } from '../../../mcp/translation/message-reader.ts';
import { metaOfHello, type Round, toModernRequest } from '../../../mcp/translation/requests.ts';
import { errorCodeOf, toLegacyResponse } from '../../../mcp/translation/responses.ts';
import { isPassed, kindOf } from '../../../mcp/translation/server-messages.ts';
import { rowKey } from '../../../platform/changes/changes.ts';
import type { ProblemError } from '../../../platform/problem-error.ts';
import { QUESTION_LIFETIME } from '../../../sessions/questions.ts';
import type { AggregateSession } from '../../../sessions/sessions.ts';
import { readmitTo } from '../../admission.ts';
import type { HeldCall } from '../../held-calls.ts';
import { sessionEnded } from '../../problems.ts';
import type { AggregateAttachment } from '../applications.ts';
import type { InSession } from '../client-call.ts';
import type { ClientRequest } from '../client-requests.ts';
import { failureError } from '../failure-reply.ts';
import { ownRequestId } from '../server-request-ids.ts';
import { envelopeFor } from '../target.ts';
import type { Unanswered, UpstreamFailure } from '../upstream-answer.ts';
import { callUpstream } from '../upstream-calls.ts';
import { upstreamRequest } from '../upstream-request.ts';
import {
  type AskedInput,
  askedInput,
  capabilityMissing,
  tooLong,
  tooManyRounds,
  unanswered,
} from './asked-input.ts';
import { ClientStream } from './client-stream.ts';
import { modernHeaders } from './headers.ts';
import { InputRound } from './input-round.ts';
import type { TranslatedCall, TranslationDeps } from './translated-call.ts';
import { type MessageTaker, UpstreamMessages } from './upstream-messages.ts';

/** Questions of one call, one after another. */
const MAX_ROUNDS = 10;

/** Milliseconds before a call is repeated that nothing was asked for. */
const PAUSE = 1_000;

/** A request of a legacy client to a modern upstream, repeated with what the client answers to the upstream's questions. */
export class ModernUpstreamCall implements MessageTaker, HeldCall {
  readonly #given: TranslatedCall;
  readonly #request: ReadMessage;
  readonly #session: AggregateSession;
  readonly #deps: TranslationDeps;
  readonly #stream: ClientStream;
  readonly #meta: string;
  /** As it was admitted last. */
  #client: InSession;
  #response: UpstreamMessages | undefined;
  /** Raw JSON, of the request that is upstream. */
  #ownId = '';
  #rounds = 0;
  #input: InputRound | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pause: NodeJS.Timeout | undefined;
  #inFlight: ClientRequest | undefined;
  #release = (): void => {};
  #settle: ((unanswered: Unanswered | undefined) => void) | undefined;
  /** When the request began that was upstream last, by the clock of `performance`. */
  #sentAt = 0;
  /** Nothing is upstream: the client is asked, or the call is about to be repeated. */
  #isPausing = false;
  #paramHeaders: Readonly<Record<string, string>> = {};
  #mayRepeatHeaders = true;
  isDone = false;

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
    this.#stream = new ClientStream(given.client.call);
    this.#meta = metaOfHello(session.hello, session.logLevel);
  }

  /** @returns undefined once the client has its answer */
  run(): Promise<Unanswered | undefined> {
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#start();
    });
  }

  #start(): void {
    const { client, message } = this.#given;
    client.call.onClose(() => {
      this.#end();
      this.#response?.clientClosed();
    });
    const cancel = (): void => {
      this.#stream.close();
      this.#response?.close();
      this.#end();
    };
    this.#inFlight = this.#deps.clientRequests.begin(this.#session, message.id, cancel);
    if (message.method === 'tools/call') void this.#sendWithParamHeaders('known');
    else this.#send({});
  }

  take(message: ReadMessage, status: number): void {
    if (this.isDone || this.#isPausing) return;
    const kind = kindOf(message);
    if (kind?.kind === 'notification' && isPassed(kind.method)) this.#stream.send(message.bytes);
    else if (kind?.kind === 'response' && (kind.id === this.#ownId || kind.id === 'null')) {
      this.#takeResponse(message, status);
    }
  }

  keepAlive(): void {
    if (!this.isDone) this.#stream.keepAlive();
  }

  fail(failure: UpstreamFailure): void {
    if (!this.#isPausing) this.#fail(failure);
  }

  rows(): readonly string[] {
    return this.#isPausing ? rowsOfAsked(this.#client, this.#given.target.attachment) : [];
  }

  async reauthorize(): Promise<void> {
    if (this.isDone || !this.#isPausing) return;
    await readmitAsked(this.#client, this.#given.target.attachment, this.#deps);
  }

  cut(problem: ProblemError): void {
    this.#fail({ kind: 'problem', problem });
  }

  #fail(failure: UpstreamFailure): void {
    if (this.isDone) return;
    const { integrationId } = this.#given.target.attachment;
    if (this.#stream.isBegun) this.#refuse(failureError(failure, integrationId));
    else this.#end(failure);
  }

  #send(input: Omit<Round, 'id'>): void {
    if (this.isDone) return;
    this.#isPausing = false;
    this.#sentAt = performance.now();
    const { target } = this.#given;
    const client = this.#client;
    this.#ownId = JSON.stringify(ownRequestId());
    const body = toModernRequest(this.#request, this.#meta, { id: this.#ownId, ...input });
    const { call, application } = client;
    const own = modernHeaders(this.#given);
    const headers = { ...own, ...this.#paramHeaders };
    const without = { call, application, session: undefined };
    const request = upstreamRequest(without, target.attachment, {
      body,
      envelope: envelopeFor(this.#given.message, target, this.#ownId),
      headers,
    });
    const sent = callUpstream(client, target.attachment, request, this.#deps);
    this.#response = new UpstreamMessages(sent, client.call, 'modern', this);
    this.#release();
  }

  /** The client may have lost its permission while it was asked. */
  async #repeat(input: Omit<Round, 'id'>): Promise<void> {
    try {
      this.#client = await this.#deps.readmit(this.#given.client);
      this.#send(input);
    } catch (error) {
      this.cut(toProblem(error));
    }
  }

  #takeResponse(message: ReadMessage, status: number): void {
    const result = message.object.member('result');
    const code = errorCodeOf(message);
    const { method = '', id } = this.#given.message;
    if (result?.member('resultType')?.raw(message.bytes) === '"input_required"') {
      this.#ask(askedInput(message), result?.member('requestState')?.raw(message.bytes));
    } else if (code === CAPABILITY_MISSING) {
      this.#refuse(capabilityMissing(this.#given.target.attachment.integrationId));
    } else if (code === HEADER_MISMATCH && method === 'tools/call' && this.#mayRepeatHeaders) {
      this.#mayRepeatHeaders = false;
      void this.#sendWithParamHeaders('part');
    } else {
      const pass = (): void => this.#stream.answer(toLegacyResponse(message, { id, method }));
      const isHeld = code !== undefined && !this.#stream.isBegun;
      this.#end(isHeld ? { kind: 'error', status, code, pass } : undefined);
      if (!isHeld) pass();
    }
  }

  /**
   * With the headers that the tool's definition wants, as this node has read it last. What a server refuses for its headers
   * has not been executed, and is sent once more by the definition as it is now.
   */
  async #sendWithParamHeaders(source: 'known' | 'part'): Promise<void> {
    this.#hold();
    const { client, target } = this.#given;
    const { lists } = this.#deps;
    try {
      const list =
        source === 'known'
          ? await lists.known(client, target.attachment, 'tools')
          : (await lists.part(client, target.attachment, 'tools')).list;
      this.#paramHeaders = mirroredArguments(this.#given, this.#request, list);
      this.#send({});
    } catch (error) {
      this.#given.client.call.refuse(error);
      this.#end();
    }
  }

  #ask(asked: AskedInput, requestState: string | undefined): void {
    this.#hold();
    this.#response?.answered();
    this.#rounds += 1;
    this.#timer ??= setTimeout(() => this.#refuse(tooLong()), QUESTION_LIFETIME).unref();
    const { message } = this.#given;
    if (this.#rounds > MAX_ROUNDS || asked.kind === 'too_much') this.#refuse(tooManyRounds());
    else if (asked.kind === 'url') {
      this.#stream.reply(message.id, asked.replyFor(this.#session.hello, message.method ?? ''));
      this.#end();
    } else if (!asked.isDeclared(this.#session.hello))
      this.#refuse(capabilityMissing(this.#given.target.attachment.integrationId));
    else if (asked.requests.length === 0) {
      // 2026-07-28: without a question the call is only to be repeated.
      this.#pause = setTimeout(() => void this.#repeat({ requestState }), PAUSE).unref();
    } else this.#await(asked.requests, requestState);
  }

  #await(
    requests: Extract<AskedInput, { kind: 'requests' }>['requests'],
    requestState: string | undefined,
  ): void {
    const { call } = this.#given.client;
    const place = { call, session: this.#session, stream: this.#stream };
    this.#input = new InputRound(requests, place, this.#deps, (inputResponses) => {
      if (inputResponses === undefined) this.#refuse(unanswered());
      else void this.#repeat({ inputResponses, requestState });
    });
    this.#input.start();
    this.#deps.callDeps.openCalls.reauthorizeHeldIfChanged(this, this.#sentAt);
  }

  /** Nothing is upstream for a while, so that it is no open call. */
  #hold(): void {
    this.#isPausing = true;
    this.#release = this.#deps.callDeps.openCalls.hold(this);
  }

  #refuse(error: RpcRefusal): void {
    if (this.isDone) return;
    this.#stream.reply(this.#given.message.id, { error });
    this.#end();
  }

  #end(unanswered?: Unanswered): void {
    this.isDone = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#pause);
    this.#input?.close();
    if (this.#inFlight !== undefined) this.#deps.clientRequests.end(this.#inFlight);
    this.#release();
    this.#settle?.(unanswered);
  }
}

/**
 * The headers that mirror arguments of a tool's call, which a legacy client does not send.
 *
 * @param request the body of the call
 */
function mirroredArguments(
  { message }: TranslatedCall,
  request: ReadMessage,
  list: SplicedList | undefined,
): Readonly<Record<string, string>> {
  const args = request.object.member('params')?.member('arguments')?.raw(request.bytes) ?? '{}';
  const tool = list?.entries.find(({ identifier }) => identifier === message.name);
  return tool === undefined ? {} : paramHeadersOf(tool.bytes, Buffer.from(args));
}

/** What the permission of a client to answer an integration rests on. */
function rowsOfAsked(
  { caller, application, session }: InSession,
  { integrationId }: AggregateAttachment,
): readonly string[] {
  const changes = [
    ...dependenciesOf(caller),
    { kind: 'application', id: application.id },
    { kind: 'integration', id: integrationId },
    { kind: 'connection', id: `${integrationId}:${subjectIdOf(caller)}` },
    { kind: 'session', id: session?.id ?? '' },
  ] as const;
  return changes.map(rowKey);
}

/**
 * Admits a client again that is being asked. A missing credential does not end its call: the person may connect before
 * they answer, and the call is refused then if they have not.
 *
 * @throws ProblemError if it is not let in any more
 */
async function readmitAsked(
  client: InSession,
  { key, attachmentId }: AggregateAttachment,
  { readmit, callDeps }: Pick<TranslationDeps, 'readmit' | 'callDeps'>,
): Promise<void> {
  const { caller } = await readmit(client);
  const { route } = await readmitTo(callDeps, caller, key);
  if (route.attachmentId !== attachmentId) throw sessionEnded();
}
