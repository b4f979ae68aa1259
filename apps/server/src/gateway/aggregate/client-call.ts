import { toProblem } from '../../http/problem-response.ts';
import type { Caller } from '../../identity/caller.ts';
import { type Era, eraOf } from '../../mcp/era.ts';
import { type Reply, responseTo } from '../../mcp/server/reply.ts';
import type { AggregateSession } from '../../sessions/sessions.ts';
import type { BodyMemory } from '../body-memory.ts';
import { KeptBody } from '../body-memory.ts';
import type { Inbound } from '../inbound.ts';
import { answerOf, problemAnswer } from '../own-answer.ts';
import type { Answered, ClientRequest, ResponseSink } from '../ports.ts';
import { ownHeaders } from '../response-head.ts';
import type { AggregateApplication } from './applications.ts';

/** A request of a client to the one URL of an application, and the response to it. */
export class ClientCall implements Answered {
  readonly request: ClientRequest;
  readonly response: ResponseSink;
  readonly inbound: Inbound;
  readonly requestId: string;
  readonly era: Era;
  readonly #keptBody: KeptBody;
  /** Once its caller has been let in. */
  #callerId: string | undefined;
  #corsHeaders: readonly string[] = [];
  readonly #onClose: (() => void)[] = [];
  /** They wait until the client has taken what was sent. */
  #waiting: (() => void)[] = [];

  constructor(request: ClientRequest, response: ResponseSink, bodyMemory: BodyMemory) {
    this.request = request;
    this.response = response;
    this.#keptBody = new KeptBody(bodyMemory);
    this.inbound = request.inbound;
    this.requestId = request.requestId;
    this.era = eraOf(this.inbound.protocolVersion);
    response.onClose(() => this.#close());
  }

  get hasEnded(): boolean {
    return this.response.isGone || this.response.status !== 0;
  }

  get corsHeaders(): readonly string[] {
    return this.#corsHeaders;
  }

  allowOrigin(corsHeaders: readonly string[]): void {
    this.#corsHeaders = corsHeaders;
  }

  respondToPreflight(headers: readonly string[]): void {
    const own = ['X-Request-Id', this.requestId, 'Cache-Control', 'no-store'];
    this.response.begin(204, [...own, ...this.corsHeaders, ...headers]);
    this.response.end();
  }

  letIn(callerId: string): void {
    this.#callerId = callerId;
  }

  received(): void {}

  /** Takes memory for the body until the response has ended. Returns false if there is no room. */
  keepOfBody(bytes: number): boolean {
    return !this.response.isGone && this.#keptBody.take(bytes, this.#callerId);
  }

  /** Gives back memory that was taken by {@link keepOfBody}. */
  keepLess(bytes: number): void {
    this.#keptBody.giveBack(bytes, this.#callerId);
  }

  /** Resolves once the client has taken what was sent, or has left. */
  drained(): Promise<void> {
    if (this.response.isGone) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) this.response.onDrain(() => this.#wakeAll());
    });
  }

  /** @param listener called once the response has been sent, or the client has left */
  onClose(listener: () => void): void {
    this.#onClose.push(listener);
  }

  #close(): void {
    this.giveUpBody();
    this.#wakeAll();
    for (const listener of this.#onClose) listener();
  }

  #wakeAll(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  giveUpBody(): void {
    this.#keptBody.giveUp(this.#callerId);
  }

  /** Responds with a problem document. */
  refuse(thrown: unknown): void {
    if (!this.hasEnded) this.response.answer(problemAnswer(toProblem(thrown), 'refused'), this);
  }

  /** @param headers name, value, name, value … */
  answer(status: number, json: string | undefined, headers: readonly string[] = []): void {
    if (!this.hasEnded) this.response.answer(answerOf(status, json, headers), this);
  }

  /** Answers with JSON that is there as bytes. */
  answerBytes(json: Buffer): void {
    if (this.hasEnded) return;
    const length = String(json.length);
    const headers = ['Content-Type', 'application/json', 'Content-Length', length];
    this.response.begin(200, [...ownHeaders(this), ...headers]);
    this.response.end(json);
  }

  /** Answers one request. @param id raw JSON */
  reply(id: string, reply: Reply, status = 200, headers: readonly string[] = []): void {
    this.answer(status, responseTo(id, reply), headers);
  }
}

/** A client's request once its caller has been let in. */
export interface Admitted {
  readonly call: ClientCall;
  readonly token: string;
  readonly caller: Caller;
  readonly application: AggregateApplication;
}

/** A client's request, with its session if it has one. */
export interface InSession extends Admitted {
  /** Of legacy clients. */
  readonly session: AggregateSession | undefined;
}
