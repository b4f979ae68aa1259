import type { Dispatcher } from 'undici';
import type { Credentials } from '../credentials/credentials.ts';
import type { ReadyCredential } from '../credentials/outcome.ts';
import type { Egress } from '../egress/egress.ts';
import { type EgressErrorReason, toEgressError } from '../egress/errors.ts';
import { isTokenExpired } from '../identity/actor.ts';
import { invalidToken } from '../identity/bearer.ts';
import type { SessionUse } from '../mcp/era.ts';
import { isPlainEventStream } from '../mcp/event-stream.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { GatewaySessions } from '../sessions/sessions.ts';
import type { Admission } from './admission.ts';
import type { Call, CallDeps, OngoingExchange } from './call.ts';
import { updateSession } from './call-session.ts';
import { rejectedCredential } from './credential-error.ts';
import type { OpenCalls } from './open-calls.ts';
import { noStream, notTried, upstreamRedirects, upstreamUnreachable } from './problems.ts';
import { Rejection } from './rejection.ts';
import {
  BodyStream,
  messageIdsOf,
  onResponseBegun,
  type RequestBody,
  type RequestBodyDeps,
  readRequestBody,
  stopAndFindMessageIds,
} from './request-body.ts';
import { requestHeadersFor } from './request-head.ts';
import { RelayedResponse } from './response.ts';
import type { ResponseHeaders } from './response-head.ts';

export interface ExchangeDeps extends CallDeps, RequestBodyDeps {
  readonly sessions: GatewaySessions;
  readonly openCalls: OpenCalls;
  readonly egress: Pick<Egress, 'poolFor'>;
  readonly credentials: Pick<Credentials, 'reportAccepted' | 'reportRejected'>;
}

/** Failures that say nothing about the upstream. */
const OURS = new Set<EgressErrorReason>(['out_of_files', 'too_many_lookups']);

/** The upstream side of one call: sends the request and, as undici's handler, receives the response. */
export class Exchange implements Dispatcher.DispatchHandler, OngoingExchange {
  readonly #call: Call;
  readonly #admission: Admission;
  readonly #credential: ReadyCredential;
  readonly #deps: ExchangeDeps;
  readonly #response: RelayedResponse;
  #body: RequestBody = null;
  #controller: Dispatcher.DispatchController | undefined;
  #rejection: Rejection | undefined;

  constructor(call: Call, admission: Admission, credential: ReadyCredential, deps: ExchangeDeps) {
    this.#call = call;
    this.#admission = admission;
    this.#credential = credential;
    this.#deps = deps;
    this.#response = new RelayedResponse(call, deps);
    call.exchange = this;
  }

  start(): void {
    const { req, inbound } = this.#call;
    readRequestBody(req, inbound, this.#deps, (body) => this.#dispatch(body));
  }

  abort(): void {
    if (this.#body instanceof BodyStream) {
      this.#body.destroy();
      this.#body.releaseIds();
    }
    // A rejection is read to its end, within its limits.
    if (this.#rejection === undefined) this.#controller?.abort(new Error('The call has ended.'));
  }

  keepAlive(now: number): void {
    this.#response.keepAlive(now);
  }

  announceEnd(problem: ProblemError): void {
    this.#response.announceEnd(problem, messageIdsOf(this.#body));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#call.hasEnded) controller.abort(new Error('The call has ended.'));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: ResponseHeaders,
  ): void {
    const call = this.#call;
    // Interim responses (1xx) are not relayed.
    if (status < 200 || call.hasEnded) return;
    if (status === 401) {
      this.#onRejected(controller);
      return;
    }
    if (status >= 300 && status < 400) {
      call.refuse(upstreamRedirects(status), 'upstream_failed');
      return;
    }
    if (call.req.method === 'GET' && status < 300 && !isPlain(headers)) {
      call.refuse(noStream('The integration offers no event stream that can be relayed.'));
      return;
    }
    const { connectionId } = this.#credential;
    if (status < 300 && connectionId !== undefined) {
      this.#deps.credentials.reportAccepted(connectionId);
    }
    const { use } = this.#admission;
    const updated = updateSession(call, this.#admission, this.#deps, status, headers);
    if (updated === undefined) {
      this.#respond(status, headers, use);
      return;
    }
    controller.pause();
    updated.then(
      () => {
        if (!call.hasEnded) this.#respond(status, headers, use);
        controller.resume();
      },
      (error: unknown) => call.refuse(error),
    );
  }

  /** A call that waited while its permission was taken away must not become a stream that stays. */
  #respond(status: number, headers: ResponseHeaders, use: SessionUse): void {
    this.#response.start(status, headers, use);
    onResponseBegun(this.#body, this.#call.isStream);
    if (this.#call.isStream && !this.#call.hasEnded) {
      this.#deps.openCalls.recheckIfChanged(this.#call);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#rejection !== undefined) this.#rejection.discard(chunk);
    else if (!this.#call.hasEnded) this.#response.write(controller, chunk);
  }

  onResponseEnd(): void {
    if (this.#rejection !== undefined) this.#rejection.end();
    else if (!this.#call.hasEnded) this.#response.end();
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#rejection !== undefined) this.#rejection.end();
    else if (!this.#call.hasEnded) this.#fail(error);
  }

  #dispatch(body: RequestBody): void {
    const call = this.#call;
    this.#body = body;
    if (call.hasEnded) return;
    const { route, actor } = this.#admission;
    // The body may have come slowly, and nothing is announced when a token expires.
    if (isTokenExpired(actor, Date.now())) {
      call.refuse(invalidToken());
      return;
    }
    const { organizationId, userId } = actor;
    const { headers: credential } = this.#credential;
    try {
      const sender = { organizationId, userId, credential };
      this.#deps.egress.poolFor(route.destination, sender).dispatch(
        {
          path: route.path,
          method: call.req.method ?? 'POST',
          headers: requestHeadersFor(call, this.#admission, credential, body),
          body,
          // Never sent twice, not even methods that HTTP defines as idempotent.
          idempotent: false,
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        this,
      );
    } catch (error) {
      this.onResponseError(undefined, error as Error);
    }
  }

  #onRejected(controller: Dispatcher.DispatchController): void {
    const call = this.#call;
    const { credentials, limits } = this.#deps;
    const { connectionId } = this.#credential;
    if (connectionId !== undefined) credentials.reportRejected(connectionId);
    this.#rejection = new Rejection(controller, limits.discardWithin);
    const error = rejectedCredential(this.#credential, this.#admission.route.integrationId);
    stopAndFindMessageIds(this.#body, limits.bodySilence, (ids) =>
      call.refuseForCredential(error, ids),
    );
  }

  #fail(error: Error): void {
    const call = this.#call;
    // Only the limit of `BodyStream`.
    if (error instanceof ProblemError) {
      call.refuse(error, 'too_large');
      return;
    }
    const { kind, reason } = toEgressError(error);
    const { applicationId, integrationId } = this.#admission.route;
    const { requestId } = call;
    this.#deps.log.info(
      { requestId, applicationId, integrationId, kind, reason },
      'upstream failed',
    );
    call.refuse(OURS.has(reason) ? notTried() : upstreamUnreachable(), 'upstream_failed');
  }
}

function isPlain(headers: ResponseHeaders): boolean {
  return isPlainEventStream(headers['content-type'], headers['content-encoding']);
}
