import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { CredentialOutcome } from '../credentials/outcome.ts';
import { toProblem } from '../http/problem.ts';
import { requestIdOf } from '../http/request-id.ts';
import type { Actor } from '../identity/actor.ts';
import { type Era, eraOf, type SessionUse } from '../mcp/era.ts';
import type { Asked } from '../mcp/message-scanner.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { GatewaySessions, OpenSession } from '../sessions/sessions.ts';
import { type CredentialRefusal, sendCredentialError, sendProblem } from './answers.ts';
import { type Inbound, readInbound } from './inbound.ts';
import type { CallOutcome, GatewayMetrics } from './metrics.ts';
import { discardBody } from './request-body.ts';
import type { Route } from './routes.ts';

export interface CallDeps {
  readonly sessions: Pick<GatewaySessions, 'enter' | 'leave'>;
  readonly openCalls: { delete(call: Call): void };
  readonly metrics: GatewayMetrics;
  readonly log: Logger;
}

/** What was found out about a call before anything of it was read or sent. */
export interface Admission {
  readonly token: string;
  readonly actor: Actor;
  readonly route: Route;
  readonly use: SessionUse;
  readonly session: OpenSession | undefined;
  readonly credential: CredentialOutcome;
}

/**
 * Where a call was sent. An object, not a function kept in a property: V8 allocates closures that are
 * assigned to properties in the old generation, from where each keeps its whole call alive until a
 * full collection.
 */
export interface Upstream {
  /** The call has ended other than by its response's end. */
  letGo(): void;
}

/** One call as its client sees it: who calls, what it is in, and how it ends. It ends once. */
export class Call {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly inbound: Inbound;
  readonly requestId: string;
  readonly era: Era;
  readonly startedAt = performance.now();
  /** Sent with every answer: CORS. */
  extraHeaders: readonly string[] = [];
  admission: Admission | undefined;
  /** Counted as in flight in it. */
  session: OpenSession | undefined;
  /** Of a session opened by this call: what its client is told. */
  clientSessionId: string | undefined;
  isOver = false;
  /** Among the calls in flight. */
  place = -1;
  isStream = false;
  upstream: Upstream | undefined;
  readonly #deps: CallDeps;

  constructor(req: IncomingMessage, res: ServerResponse, deps: CallDeps) {
    this.req = req;
    this.res = res;
    this.#deps = deps;
    this.inbound = readInbound(req.rawHeaders);
    this.requestId = requestIdOf(this.inbound.requestId);
    this.era = eraOf(this.inbound.protocolVersion);
    res.on('close', () => this.leave('client_left'));
  }

  /** In flight in this session from now on, and in no other. */
  join(session: OpenSession): void {
    this.part();
    this.session = this.#deps.sessions.enter(session);
  }

  part(): OpenSession | undefined {
    const { session } = this;
    this.session = undefined;
    if (session !== undefined) this.#deps.sessions.leave(session);
    return session;
  }

  /** Answers with a problem, or breaks the response off where one has begun. */
  refuse(thrown: unknown, outcome: CallOutcome = 'refused'): void {
    if (this.isOver) return;
    const problem = toProblem(thrown);
    if (problem.code === 'internal_error') {
      this.#deps.log.error({ requestId: this.requestId, err: thrown }, 'gateway call failed');
    }
    if (this.res.headersSent) {
      this.res.destroy();
    } else {
      sendProblem(this.req, this.res, problem, this);
      discardBody(this.req);
    }
    this.leave(outcome);
  }

  /** Ends it from our side: a stream cleanly, anything else with the problem. */
  cut(problem: ProblemError): void {
    if (this.isOver) return;
    if (this.isStream) {
      this.res.end();
      this.leave('cut');
    } else {
      this.refuse(problem, 'cut');
    }
  }

  /** Says so in JSON-RPC where the body holds a request to answer, in a problem document otherwise. */
  refuseCredential(refusal: CredentialRefusal, asked: Asked | ProblemError | undefined): void {
    if (this.isOver) return;
    if (asked instanceof ProblemError) {
      this.refuse(asked, 'too_large');
    } else if (asked?.kind === 'malformed' && this.req.headers['content-encoding'] === undefined) {
      this.refuse(new ProblemError('malformed_json', 'The request body is not valid JSON.'));
    } else if (asked?.kind !== 'request' && asked?.kind !== 'batch') {
      this.refuse(new ProblemError('forbidden', refusal.message), 'credential');
    } else {
      const ids = asked.kind === 'request' ? asked.id : asked.ids;
      sendCredentialError(this.res, ids, refusal, this);
      discardBody(this.req);
      this.leave('credential');
    }
  }

  answerPreflight(headers: readonly string[]): void {
    this.res.writeHead(204, [
      'X-Request-Id',
      this.requestId,
      'Cache-Control',
      'no-store',
      ...this.extraHeaders,
      ...headers,
    ]);
    this.res.end();
    this.finish('refused');
  }

  /** It is over, and the upstream with it. */
  leave(outcome: CallOutcome): void {
    if (this.isOver) return;
    this.finish(outcome);
    this.upstream?.letGo();
  }

  finish(outcome: CallOutcome): void {
    this.isOver = true;
    this.#deps.openCalls.delete(this);
    this.part();
    const status = this.res.headersSent ? this.res.statusCode : 0;
    this.#deps.metrics.countCall(outcome, this.era, status);
  }
}
