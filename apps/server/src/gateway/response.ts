import type { Dispatcher } from 'undici';
import type { SessionMode } from '../mcp/era.ts';
import { isEventStream, isPlainEventStream } from '../mcp/media-type.ts';
import type { MessageIds } from '../mcp/message-ids.ts';
import { eventOf, refusalOf } from '../mcp/server/reply.ts';
import { EventWriter } from '../mcp/sse/event-writer.ts';
import { SeenLines } from '../mcp/sse/seen-lines.ts';
import type { ProblemError } from '../platform/problem-error.ts';
import type { Call } from './call.ts';
import type { GatewayLimits } from './limits.ts';
import type { GatewayMetrics } from './metrics.ts';
import { isOpenEnded } from './open-calls.ts';
import { PassedAnswers } from './passed-answers.ts';
import { namesEndpoint, responseTooLarge, streamEnded } from './problems.ts';
import type { RequestBody } from './request-body.ts';
import {
  contentLengthOf,
  OWN_HEADERS,
  passedHeaders,
  type ResponseHeaders,
} from './response-head.ts';

export interface ResponseDeps {
  readonly metrics: GatewayMetrics;
  readonly limits: GatewayLimits;
}

/**
 * The event of the HTTP+SSE transport (2024-11-05) that tells a client where to send its messages. Streamable HTTP has no
 * such event.
 */
const ENDPOINT_EVENT = 'event:endpoint';

/** Handles an upstream's response. */
export interface CallResponse {
  /** It is read on its way, so it must not be compressed. */
  readonly mustBePlain: boolean;
  start(status: number, headers: ResponseHeaders, sessionMode: SessionMode): void;
  write(controller: Dispatcher.DispatchController, chunk: Buffer): void;
  /** The upstream's response has reached its end. */
  end(): void;
  /** @param now milliseconds */
  keepAlive(now: number): void;
  /** Whether the last request of the body has just been answered on an event stream. */
  isAnswered(body: RequestBody): boolean;
  /** Sends one of our events between two events of a stream, once. Other responses have no place for it. */
  insert(event: string): void;
  /** @param ids of the requests that await the response, if they are known */
  announceEnd(problem: ProblemError, ids: MessageIds | undefined): void;
}

/** Relays the upstream's response to the client, and ends the call with it. */
export class RelayedResponse implements CallResponse {
  readonly #call: Call;
  readonly #deps: ResponseDeps;
  /** The head is written, but waits to be sent in one piece with the first bytes of the body. */
  #isHeadPending = false;
  #declaredLength: number | undefined;
  #received = 0;
  /** Of an event stream that we may insert events into. */
  #events: EventWriter | undefined;
  #isWaiting = false;
  /** Of an event stream that goes on after its responses, if the server wants. */
  #answers: PassedAnswers | undefined;
  /** Of a GET stream. */
  #endpoint: SeenLines | undefined;

  constructor(call: Call, deps: ResponseDeps) {
    this.#call = call;
    this.#deps = deps;
  }

  /** An event stream of GET is searched for `endpoint` events. Under rules about names, we add events to listens too. */
  get mustBePlain(): boolean {
    const { request, inbound, admission } = this.#call;
    if (request.method === 'GET') return true;
    return inbound.mcpMethod === 'subscriptions/listen' && !!admission?.route.policy?.hasNameRules;
  }

  /** The upstream is paused until the client has taken what was sent. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  start(status: number, headers: ResponseHeaders, sessionMode: SessionMode): void {
    const call = this.#call;
    const { metrics, limits } = this.#deps;
    if (isEventStream(headers['content-type'])) call.startStream();
    if (call.request.method === 'GET') this.#endpoint = new SeenLines(ENDPOINT_EVENT, false);
    this.#declaredLength = contentLengthOf(headers);
    const hasNoLength = call.isStream && this.#declaredLength === undefined;
    if (hasNoLength && isPlainEventStream(headers['content-type'], headers['content-encoding'])) {
      // A listen begins with its acknowledgement (2026-07-28 subscriptions); a GET stream may stay silent for hours.
      const mayBegin = call.request.method === 'GET';
      this.#events = new EventWriter(call, { keepAlive: limits.keepAlive, isOwn: false, mayBegin });
      if (!isOpenEnded(call)) this.#answers = new PassedAnswers();
    }
    if (!call.isStream && (this.#declaredLength ?? 0) > limits.responseBytes) {
      call.refuse(responseTooLarge(), 'too_large');
      return;
    }
    const head = passedHeaders(headers);
    head.push(...OWN_HEADERS, 'X-Request-Id', call.requestId, ...call.corsHeaders);
    const clientSessionId = clientSessionIdOf(call, headers, sessionMode);
    if (clientSessionId !== undefined) head.push('Mcp-Session-Id', clientSessionId);
    call.response.begin(status, head);
    // The head is sent in this turn even if no body follows yet.
    this.#isHeadPending = true;
    process.nextTick(flushHead, this);
    const { integrationId } = call.notes;
    if (integrationId === undefined || isOpenEnded(call)) return;
    metrics.observeHead(integrationId, call.era, (performance.now() - call.startedAt) / 1000);
  }

  write(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const call = this.#call;
    const { limits } = this.#deps;
    this.#received += chunk.length;
    this.#endpoint?.feed(chunk);
    if (this.#endpoint?.isFound) {
      call.refuse(namesEndpoint(), 'upstream_failed');
      return;
    }
    if (call.isStream) {
      call.session?.touch();
    } else if (this.#received > limits.responseBytes) {
      call.refuse(responseTooLarge(), 'too_large');
      return;
    }
    if (this.#isHeadPending) {
      this.#isHeadPending = false;
      if (this.#declaredLength === chunk.length) {
        // The whole body: `onResponseEnd` will find the call ended.
        call.finish(chunk);
        return;
      }
    }
    this.#answers?.add(chunk);
    const isTaken = this.#events === undefined ? call.write(chunk) : this.#events.pass(chunk);
    const isFlowing = isTaken || call.response.waitingBytes <= limits.bufferedBytes;
    if (isFlowing || this.#isWaiting) return;
    this.#isWaiting = true;
    controller.pause();
    call.response.onDrain(() => {
      this.#isWaiting = false;
      controller.resume();
    });
  }

  end(): void {
    this.#call.finish();
  }

  /** Not an activity of the session. */
  keepAlive(now: number): void {
    this.#events?.keepAlive(now);
  }

  isAnswered(body: RequestBody): boolean {
    return this.#answers?.isComplete(body) === true;
  }

  insert(event: string): void {
    this.#events?.insert(event);
  }

  /**
   * Tells the client of an event stream why it ends, by an error response to its request if that is
   * known. The client of a GET stream learns when to reconnect if the service is only shutting down.
   */
  announceEnd(problem: ProblemError, ids: MessageIds | undefined): void {
    const { request, requestId } = this.#call;
    if (this.#events === undefined || this.#events.isWithinEvent) return;
    if (ids?.kind === 'request' || ids?.kind === 'batch') {
      const raw = ids.kind === 'request' ? ids.id : ids.ids;
      this.#events.send(eventOf(refusalOf(raw, streamEnded(problem, requestId))));
      this.#call.noteResponse('error');
    } else if (request.method === 'GET' && problem.code === 'overloaded') {
      this.#events.send(`retry: ${this.#deps.limits.reconnectAfter}\n\n`);
    }
  }

  flushHead(): void {
    const { response } = this.#call;
    if (this.#isHeadPending && !response.isOver) response.flush();
    this.#isHeadPending = false;
  }
}

/** One function for all responses, instead of a closure for each. */
function flushHead(response: RelayedResponse): void {
  response.flushHead();
}

/** The client's own session id if the upstream sent one, never the upstream's. */
function clientSessionIdOf(
  { clientSessionId, inbound }: Call,
  headers: ResponseHeaders,
  sessionMode: SessionMode,
): string | undefined {
  if (clientSessionId !== undefined) return clientSessionId;
  const isEchoed = sessionMode === 'legacy' && headers['mcp-session-id'] !== undefined;
  return isEchoed ? inbound.sessionId : undefined;
}
