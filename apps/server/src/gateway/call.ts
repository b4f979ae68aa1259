import type { Logger } from 'pino';
import { toProblem } from '../http/problem-response.ts';
import { subjectIdOf } from '../identity/caller.ts';
import type { Reservation } from '../limits/call-limits.ts';
import type { ResponseKind } from '../mcp/awaited-messages.ts';
import { type Era, eraOf } from '../mcp/era.ts';
import type { MessageIds } from '../mcp/message-ids.ts';
import type { AnnouncedList } from '../mcp/spoken-eras.ts';
import type { ProblemError } from '../platform/problem-error.ts';
import type { Tracing } from '../platform/tracing.ts';
import type { Activity } from '../sessions/activity.ts';
import type { OpenSession } from '../sessions/sessions.ts';
import type { Admission } from './admission.ts';
import type { BodyMemory } from './body-memory.ts';
import { KeptBody } from './body-memory.ts';
import { CallNotes } from './call-notes.ts';
import type { CallObserver, CallOutcome, CallRecord, CallRefusal } from './call-record.ts';
import { CallTrace } from './call-trace.ts';
import type { Inbound } from './inbound.ts';
import { type OwnAnswer, problemAnswer, rpcAnswer } from './own-answer.ts';
import type { CallRequest, ResponseSink } from './ports.ts';
import { logRefusedCall, PeopleRefused } from './problems.ts';
import type { Route } from './routes.ts';

export interface CallDeps {
  readonly sessions: { readonly activity: Pick<Activity, 'enter' | 'leave'> };
  readonly openCalls: { delete(call: Call): void };
  readonly bodyMemory: BodyMemory;
  readonly observers: readonly CallObserver[];
  /** Undefined where nothing collects traces. */
  readonly tracing?: Tracing | undefined;
  readonly log: Logger;
}

/**
 * The upstream side of a call. An object, not a function in a property: V8 allocates closures that are
 * assigned to properties in the old generation, where each keeps its whole call alive until a full
 * collection.
 */
export interface OngoingExchange {
  /** A part of the request's body has not arrived, and another part may be upstream already. */
  readonly isSending?: boolean;
  /** The call has ended: stops the request and closes its connection, unless the rest of a rejection is still being read. */
  abort(): void;
  /** Keeps a silent event stream alive. @param now milliseconds */
  keepAlive(now: number): void;
  /** Tells the client of an open-ended stream that these lists have changed, if it hears of that. */
  announceListChanges?(lists: readonly AnnouncedList[]): void;
  /** Says on an event stream why it ends, if the client can learn it there. */
  announceEnd(problem: ProblemError): void;
  /** The user this stream was waiting for has connected; the stream ends. */
  onSettled?(): void;
}

/**
 * `arrived`: being admitted. `admitted`: sent upstream, or being answered here. `renewing`: the upstream has
 * rejected the credential, and another one is being looked for; with one the call is admitted again.
 * `streaming`: the head of an event stream is sent.
 */
type Phase = 'arrived' | 'admitted' | 'renewing' | 'streaming' | 'ended';

/**
 * The client side of a call. It ends exactly once. Everything that changes during a call is changed here.
 * An exchange knows its call; the call knows of it only what {@link OngoingExchange} says.
 */
export class Call {
  readonly request: CallRequest;
  readonly response: ResponseSink;
  readonly inbound: Inbound;
  readonly requestId: string;
  readonly era: Era;
  /** By the clock of `performance`. */
  readonly startedAt = performance.now();
  readonly notes: CallNotes;
  /** Undefined when this call is not traced. */
  readonly trace: CallTrace | undefined;
  readonly #deps: CallDeps;
  #phase: Phase = 'arrived';
  #corsHeaders: readonly string[] = [];
  #admission: Admission | undefined;
  #session: OpenSession | undefined;
  #clientSessionId: string | undefined;
  #agreedVersion: string | undefined;
  #exchange: OngoingExchange | undefined;
  #reservation: Reservation | undefined;
  #listIndex = -1;
  #responseKind: ResponseKind | undefined;
  readonly #keptBody: KeptBody;

  constructor(request: CallRequest, response: ResponseSink, deps: CallDeps) {
    this.request = request;
    this.response = response;
    this.#deps = deps;
    this.#keptBody = new KeptBody(deps.bodyMemory);
    this.inbound = request.inbound;
    this.requestId = request.requestId;
    this.era = eraOf(this.inbound.protocolVersion);
    this.notes = new CallNotes(deps.observers.some(needsMessages));
    this.notes.setEnvelope(request.behind?.envelope);
    this.trace = deps.tracing && CallTrace.begin(deps.tracing, request, this.era);
    response.onClose((isAnswered) => this.abort(isAnswered ? 'relayed' : 'client_left'));
  }

  get hasEnded(): boolean {
    return this.#phase === 'ended';
  }

  get isRenewing(): boolean {
    return this.#phase === 'renewing';
  }

  get isStream(): boolean {
    return this.#phase === 'streaming';
  }

  /** Sent with every response. */
  get corsHeaders(): readonly string[] {
    return this.#corsHeaders;
  }

  /** Undefined until the call is admitted. */
  get admission(): Admission | undefined {
    return this.#admission;
  }

  /** Counts this call as in flight: entered on admission, or when the head of the response arrives. */
  get session(): OpenSession | undefined {
    return this.#session;
  }

  /** The new session id for the client, if this call opened a session. */
  get clientSessionId(): string | undefined {
    return this.#clientSessionId;
  }

  /** The version that the upstream has just agreed to, if this call has begun a session behind one with the aggregate. */
  get agreedVersion(): string | undefined {
    return this.#agreedVersion;
  }

  agreeOn(version: string): void {
    this.#agreedVersion = version;
  }

  /** The response to the request that has been sent, as far as responses are read on their way. */
  get responseKind(): ResponseKind | undefined {
    return this.#responseKind;
  }

  noteResponse(kind: ResponseKind): void {
    this.#responseKind = kind;
  }

  get exchange(): OngoingExchange | undefined {
    return this.#exchange;
  }

  /** In the list of open calls; only the list calls `listedAt`. */
  get listIndex(): number {
    return this.#listIndex;
  }

  listedAt(index: number): void {
    this.#listIndex = index;
  }

  allowOrigin(corsHeaders: readonly string[]): void {
    this.#corsHeaders = corsHeaders;
  }

  /** On arrival, and once more when another credential has been found for it. */
  admit(admission: Admission): void {
    if (this.hasEnded) return;
    this.#phase = 'admitted';
    this.#admission = admission;
  }

  /** Its route has been read again, and its client knows what has changed. */
  reroute(route: Route): void {
    if (this.#admission !== undefined) this.#admission = { ...this.#admission, route };
  }

  /** Its response comes from this exchange; after a renewal from a second one. */
  startExchange(exchange: OngoingExchange): void {
    this.#exchange = exchange;
  }

  startRenewing(): void {
    if (!this.hasEnded) this.#phase = 'renewing';
  }

  startStream(): void {
    if (!this.hasEnded) this.#phase = 'streaming';
  }

  /** Counts the call as in flight in this session only. */
  enterSession(session: OpenSession): void {
    this.leaveSession();
    this.#session = this.#deps.sessions.activity.enter(session);
  }

  /** Enters a session that this call has opened. @param clientSessionId its id for the client */
  openSession(session: OpenSession, clientSessionId: string): void {
    this.#clientSessionId = clientSessionId;
    this.enterSession(session);
  }

  /** What it has of limits, until it ends. */
  holdReservation(reservation: Reservation): void {
    if (this.hasEnded) reservation.release();
    else this.#reservation = reservation;
  }

  /** Takes memory for the body until the call ends. Returns false if there is no room. */
  keepOfBody(bytes: number): boolean {
    return !this.hasEnded && this.#keptBody.take(bytes, this.#callerId);
  }

  /** Gives back memory that was taken by {@link keepOfBody}. */
  keepLess(bytes: number): void {
    this.#keptBody.giveBack(bytes, this.#callerId);
  }

  giveUpBody(): void {
    this.#keptBody.giveUp(this.#callerId);
  }

  get #callerId(): string | undefined {
    const caller = this.#admission?.caller;
    return caller && subjectIdOf(caller);
  }

  leaveSession(): OpenSession | undefined {
    const session = this.#session;
    this.#session = undefined;
    if (session !== undefined) this.#deps.sessions.activity.leave(session);
    return session;
  }

  /** Answers in place of the upstream. */
  answer(own: OwnAnswer): void {
    if (this.hasEnded) return;
    this.notes.addReasons(own.reasons);
    this.notes.countOut(this.response.answer(own, this));
    this.abort(own.outcome);
  }

  /** Answers with a problem. */
  refuse(thrown: unknown, outcome: CallOutcome = 'refused'): void {
    if (this.hasEnded) return;
    const problem = toProblem(thrown);
    this.#logRefusal(problem);
    if (problem.code === 'internal_error') {
      this.#deps.log.error({ requestId: this.requestId, err: thrown }, 'gateway call failed');
    }
    this.answer(problemAnswer(problem, outcome));
  }

  /** See {@link rpcAnswer}. */
  rpcAnswer(refusal: CallRefusal, ids: MessageIds | undefined, outcome?: CallOutcome): OwnAnswer {
    const isEncoded = this.request.headers['content-encoding'] !== undefined;
    return rpcAnswer(refusal, ids, isEncoded, outcome);
  }

  /**
   * Ends the call from our side: a stream cleanly; a response that has begun is broken off; any other
   * call gets the problem.
   */
  cut(problem: ProblemError): void {
    if (this.hasEnded) return;
    if (this.isStream) {
      this.#logRefusal(problem);
      this.notes.addReasons(problemAnswer(problem, 'cut').reasons);
      this.#exchange?.announceEnd(problem);
      this.response.end();
      this.abort('cut');
    } else {
      this.refuse(problem, 'cut');
    }
  }

  /** The client has more than it takes at the moment. */
  get isFull(): boolean {
    return this.response.isFull;
  }

  /** Sends a part of the response. Returns false if the client has not taken what was sent before. */
  write(part: Buffer | string): boolean {
    this.notes.countOut(typeof part === 'string' ? Buffer.byteLength(part) : part.length);
    return this.response.write(part);
  }

  /** Ends the response of the upstream, and the call with it. @param rest its whole body, if that is short */
  finish(rest?: Buffer): void {
    if (rest !== undefined) this.notes.countOut(rest.length);
    this.response.end(rest);
    this.end('relayed');
  }

  /** A part of its body has arrived. */
  received(chunk: Buffer): void {
    this.notes.countIn(chunk.length);
  }

  /** Its stream goes on, but the call is not lost if this process ends before it does. */
  noteAnswer(): void {
    const record = this.recordNow();
    this.notes.setAnswered();
    for (const observer of this.#deps.observers) observer.answered?.(record);
  }

  respondToPreflight(headers: readonly string[]): void {
    const own = ['X-Request-Id', this.requestId, 'Cache-Control', 'no-store'];
    this.response.begin(204, [...own, ...this.corsHeaders, ...headers]);
    this.response.end();
    this.end('refused');
  }

  /** Ends the call, reads no more of its body, and aborts its exchange with the upstream. */
  abort(outcome: CallOutcome): void {
    if (this.hasEnded) return;
    this.end(outcome);
    this.notes.stopBody();
    this.#exchange?.abort();
  }

  /** Ends the call, after its response. */
  end(outcome: CallOutcome): void {
    if (this.hasEnded) return;
    this.#phase = 'ended';
    const { openCalls, observers } = this.#deps;
    const record = this.notes.recordOf(this, outcome);
    openCalls.delete(this);
    this.leaveSession();
    this.giveUpBody();
    this.#reservation?.release();
    for (const observer of observers) observer.ended(record);
    this.trace?.ended(outcome, record.status);
  }

  /** As if it ended now. */
  recordNow(): CallRecord {
    return this.notes.recordOf(this, 'relayed');
  }

  #logRefusal(problem: ProblemError): void {
    if (!(problem instanceof PeopleRefused)) return;
    logRefusedCall(this.#deps.log, this, problem.refused, problem.reasons);
  }
}

function needsMessages(observer: CallObserver): boolean {
  return observer.needsMessages === true;
}
