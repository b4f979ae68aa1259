import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { drainRest } from '../http/drain-rest.ts';
import { toProblem } from '../http/problem.ts';
import { problemResponse, sendProblem } from '../http/problem-response.ts';
import { requestIdOf } from '../http/request-id.ts';
import { sandboxHeader } from '../http/sandbox-header.ts';
import { type Era, eraOf } from '../mcp/era.ts';
import type { MessageIds } from '../mcp/message-id-scanner.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { Tracing } from '../platform/tracing.ts';
import type { ConnectSession } from '../sessions/connect-session-ids.ts';
import type { GatewaySessions, OpenSession } from '../sessions/sessions.ts';
import type { Admission } from './admission.ts';
import type { CallLog } from './call-log.ts';
import { CallTrace } from './call-trace.ts';
import type { CredentialError } from './credential-error.ts';
import { type Inbound, readInbound } from './inbound.ts';
import { credentialErrorResponses } from './json-rpc-error.ts';
import type { CallOutcome, GatewayMetrics } from './metrics.ts';
import { sendOwn } from './send-own.ts';

export interface CallDeps {
  readonly sessions: Pick<GatewaySessions, 'enter' | 'leave'>;
  readonly openCalls: { delete(call: Call): void };
  readonly metrics: GatewayMetrics;
  readonly callLog: CallLog;
  /** Undefined where nothing collects traces. */
  readonly tracing?: Tracing | undefined;
  readonly log: Logger;
}

/**
 * The upstream side of a call. An object, not a function kept in a property: V8 allocates closures that
 * are assigned to properties in the old generation, where each keeps its whole call alive until a full
 * collection.
 */
export interface OngoingExchange {
  /** The call has ended: stops the request and closes its connection, unless the rest of a rejection is still being read. */
  abort(): void;
  /** Keeps an event stream alive that is silent. @param now milliseconds */
  keepAlive(now: number): void;
  /** Says on an event stream why it ends, as far as its client can be told. */
  announceEnd(problem: ProblemError): void;
  /** On a stream that awaits that its person connects: there is no more need to, and the stream ends. */
  onSettled?(): void;
}

/** The client side of a call. It ends exactly once. */
export class Call {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly inbound: Inbound;
  readonly requestId: string;
  readonly era: Era;
  readonly startedAt = performance.now();
  /** Undefined when this call is not traced. */
  readonly trace: CallTrace | undefined;
  /** Sent with every response: CORS. */
  corsHeaders: readonly string[] = [];
  /** Set by `relay`: undefined while the call is being admitted. */
  admission: Admission | undefined;
  /** Counts this call as in flight: entered on admission, or when the head of the response arrives. */
  session: OpenSession | undefined;
  /** Whose id the client has sent, if it is one of ours. */
  connectSession: ConnectSession | undefined;
  /** The new session id for the client, if this call opened a session. */
  clientSessionId: string | undefined;
  hasEnded = false;
  /** In the list of open calls. */
  listIndex = -1;
  isStream = false;
  /** The upstream has rejected its credential, and another one is being looked for. */
  isRenewing = false;
  exchange: OngoingExchange | undefined;
  readonly #deps: CallDeps;

  constructor(req: IncomingMessage, res: ServerResponse, deps: CallDeps) {
    this.req = req;
    this.res = res;
    this.#deps = deps;
    this.inbound = readInbound(req.rawHeaders);
    this.requestId = requestIdOf(this.inbound.requestId);
    this.era = eraOf(this.inbound.protocolVersion);
    this.trace = deps.tracing && CallTrace.begin(deps.tracing, req, this.era);
    res.on('close', () => this.abort('client_left'));
  }

  /** Counts the call as in flight in this session, and in no other. */
  enterSession(session: OpenSession): void {
    this.leaveSession();
    this.session = this.#deps.sessions.enter(session);
  }

  leaveSession(): OpenSession | undefined {
    const { session } = this;
    this.session = undefined;
    if (session !== undefined) this.#deps.sessions.leave(session);
    return session;
  }

  /** Responds with a problem document, or destroys a response that has begun. */
  refuse(thrown: unknown, outcome: CallOutcome = 'refused'): void {
    if (this.hasEnded) return;
    const problem = toProblem(thrown);
    if (problem.code === 'internal_error') {
      this.#deps.log.error({ requestId: this.requestId, err: thrown }, 'gateway call failed');
    }
    if (this.res.headersSent) {
      this.res.destroy();
    } else {
      const response = problemResponse(problem, this.requestId, this.req.url);
      sendProblem(this.res, response, [...sandboxHeader, ...this.corsHeaders]);
      drainRest(this.req);
    }
    this.abort(outcome);
  }

  /**
   * Ends the call from our side: a stream cleanly; a response that has begun is destroyed; any other
   * call gets the problem.
   */
  cut(problem: ProblemError): void {
    if (this.hasEnded) return;
    if (this.isStream) {
      this.exchange?.announceEnd(problem);
      this.res.end();
      this.abort('cut');
    } else {
      this.refuse(problem, 'cut');
    }
  }

  /**
   * Responds in JSON-RPC if the body contains a request to respond to, else with a problem document.
   *
   * @param ids of the body; a problem if it was too large to find them, undefined if there is no body.
   */
  refuseForCredential(error: CredentialError, ids: MessageIds | ProblemError | undefined): void {
    if (this.hasEnded) return;
    if (ids instanceof ProblemError) {
      this.refuse(ids, 'too_large');
    } else if (ids?.kind === 'malformed' && this.req.headers['content-encoding'] === undefined) {
      this.refuse(new ProblemError('malformed_json', 'The request body is not valid JSON.'));
    } else if (ids?.kind !== 'request' && ids?.kind !== 'batch') {
      this.refuse(new ProblemError('forbidden', error.message), 'credential');
    } else {
      const raw = ids.kind === 'request' ? ids.id : ids.ids;
      this.answer(200, credentialErrorResponses(raw, error), [], 'credential');
    }
  }

  /** Responds in the place of an upstream. @param headers name, value, name, value … */
  answer(
    status: number,
    json: string | undefined,
    headers: readonly string[] = [],
    outcome: CallOutcome = 'connect',
  ): void {
    if (this.hasEnded) return;
    sendOwn(this.res, status, json, this, headers);
    drainRest(this.req);
    this.abort(outcome);
  }

  respondToPreflight(headers: readonly string[]): void {
    this.res.writeHead(204, [
      'X-Request-Id',
      this.requestId,
      'Cache-Control',
      'no-store',
      ...this.corsHeaders,
      ...headers,
    ]);
    this.res.end();
    this.recordEnd('refused');
  }

  /** Ends the call and aborts its exchange with the upstream. */
  abort(outcome: CallOutcome): void {
    if (this.hasEnded) return;
    this.recordEnd(outcome);
    this.exchange?.abort();
  }

  /** Takes the call off the books: list, session, metrics, log. */
  recordEnd(outcome: CallOutcome): void {
    this.hasEnded = true;
    this.#deps.openCalls.delete(this);
    this.leaveSession();
    const status = this.res.headersSent ? this.res.statusCode : 0;
    this.#deps.metrics.countCall(outcome, this.era, status);
    this.#deps.callLog.ended(this, outcome, status);
    this.trace?.ended(outcome, status);
  }
}
