import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf } from '../../http/context.ts';
import { toProblem } from '../../http/problem-response.ts';
import type { Caller } from '../../identity/caller.ts';
import { type Era, eraOf } from '../../mcp/era.ts';
import { type Reply, responseTo } from '../../mcp/server/reply.ts';
import type { AggregateSession } from '../../sessions/sessions.ts';
import type { BodyMemory } from '../body-memory.ts';
import { type Inbound, readInbound } from '../inbound.ts';
import { KeptBody } from '../kept-body.ts';
import type { Answered } from '../send-own.ts';
import { endWith, ownHeaders, sendOwn, sendOwnProblem } from '../send-own.ts';
import type { AggregateApplication } from './applications.ts';

/** A request of a client to the one URL of an application, and the response to it. */
export class ClientCall implements Answered {
  readonly req: IncomingMessage;
  readonly request: IncomingMessage;
  readonly res: ServerResponse;
  readonly inbound: Inbound;
  readonly requestId: string;
  readonly era: Era;
  readonly #keptBody: KeptBody;
  /** Once its caller has been let in. */
  #callerId: string | undefined;
  #corsHeaders: readonly string[] = [];
  readonly #onClose: (() => void)[] = [];

  constructor(req: IncomingMessage, res: ServerResponse, bodyMemory: BodyMemory) {
    this.req = req;
    this.request = req;
    this.res = res;
    this.#keptBody = new KeptBody(bodyMemory);
    this.inbound = readInbound(req.rawHeaders);
    this.requestId = requestIdOf(this.inbound.requestId);
    this.era = eraOf(this.inbound.protocolVersion);
    res.on('close', () => this.#close());
  }

  get hasEnded(): boolean {
    return this.res.destroyed || this.res.headersSent;
  }

  get corsHeaders(): readonly string[] {
    return this.#corsHeaders;
  }

  allowOrigin(corsHeaders: readonly string[]): void {
    this.#corsHeaders = corsHeaders;
  }

  respondToPreflight(headers: readonly string[]): void {
    const own = ['X-Request-Id', this.requestId, 'Cache-Control', 'no-store'];
    this.res.writeHead(204, [...own, ...this.corsHeaders, ...headers]);
    this.res.end();
  }

  letIn(callerId: string): void {
    this.#callerId = callerId;
  }

  received(): void {}

  /** Takes memory for the body until the response has ended. Returns false if there is no room. */
  keepOfBody(bytes: number): boolean {
    return !this.res.destroyed && this.#keptBody.take(bytes, this.#callerId);
  }

  /** Gives back memory that was taken by {@link keepOfBody}. */
  keepLess(bytes: number): void {
    this.#keptBody.giveBack(bytes, this.#callerId);
  }

  /** Resolves once the client has taken what was sent, or has left. */
  async drained(): Promise<void> {
    const { res } = this;
    if (res.destroyed) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        res.off('drain', done).off('close', done);
        resolve();
      };
      res.on('drain', done).on('close', done);
    });
  }

  /** @param listener called once the response has been sent, or the client has left */
  onClose(listener: () => void): void {
    this.#onClose.push(listener);
  }

  #close(): void {
    this.giveUpBody();
    for (const listener of this.#onClose) listener();
  }

  giveUpBody(): void {
    this.#keptBody.giveUp(this.#callerId);
  }

  /** Responds with a problem document. */
  refuse(thrown: unknown): void {
    if (this.hasEnded) return;
    sendOwnProblem(this, toProblem(thrown));
  }

  /** @param headers name, value, name, value … */
  answer(status: number, json: string | undefined, headers: readonly string[] = []): void {
    if (!this.hasEnded) sendOwn(this, status, json, headers);
  }

  /** Answers with JSON that is there as bytes. */
  answerBytes(json: Buffer): void {
    if (this.hasEnded) return;
    const length = String(json.length);
    const headers = ['Content-Type', 'application/json', 'Content-Length', length];
    this.res.writeHead(200, [...ownHeaders(this), ...headers]);
    endWith(this.res, json);
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
