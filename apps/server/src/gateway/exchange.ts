import type { Dispatcher } from 'undici';
import type { Credentials } from '../credentials/credentials.ts';
import type { CredentialOutcome, ReadyCredential } from '../credentials/outcome.ts';
import type { Egress } from '../egress/egress.ts';
import { isTokenExpired } from '../identity/actor.ts';
import { invalidToken } from '../identity/bearer.ts';
import type { SessionUse } from '../mcp/era.ts';
import { isPlainEventStream } from '../mcp/event-stream.ts';
import type { MessageIds } from '../mcp/message-id-scanner.ts';
import type { ProblemError } from '../platform/problem-error.ts';
import type { GatewaySessions } from '../sessions/sessions.ts';
import type { Admission } from './admission.ts';
import type { Call, CallDeps, OngoingExchange } from './call.ts';
import { updateSession } from './call-session.ts';
import { type ConnectPlace, connectPlaceOf } from './connect-place.ts';
import { type CredentialError, lackingScopes, rejectedCredential } from './credential-error.ts';
import { canGiveScopes, scopesAskedFor } from './lacking-scopes.ts';
import type { OpenCalls } from './open-calls.ts';
import { noStream, upstreamRedirects } from './problems.ts';
import { Rejection } from './rejection.ts';
import { renewCredential } from './renew-credential.ts';
import {
  BodyStream,
  messageIdsOf,
  onResponseBegun,
  type RequestBody,
  type RequestBodyDeps,
  readRequestBody,
} from './request-body.ts';
import { requestHeadersFor } from './request-head.ts';
import { RelayedResponse } from './response.ts';
import type { ResponseHeaders } from './response-head.ts';
import { upstreamFailure } from './upstream-failure.ts';

export interface ExchangeDeps extends CallDeps, RequestBodyDeps {
  readonly sessions: GatewaySessions;
  readonly openCalls: OpenCalls;
  readonly egress: Pick<Egress, 'poolFor'>;
  readonly credentials: Pick<
    Credentials,
    'renew' | 'wantScopes' | 'reportAccepted' | 'reportRejected'
  >;
  /** Our origin. */
  readonly publicUrl: string;
}

/** The upstream side of one call: sends the request and, as undici's handler, receives the response. */
export class Exchange implements Dispatcher.DispatchHandler, OngoingExchange {
  readonly #call: Call;
  readonly #admission: Admission;
  readonly #credential: ReadyCredential;
  readonly #deps: ExchangeDeps;
  readonly #renewals: number;
  readonly #response: RelayedResponse;
  #body: RequestBody = null;
  #controller: Dispatcher.DispatchController | undefined;
  #rejection: Rejection | undefined;

  /** @param renewals how many other credentials the upstream has rejected for the same call. */
  constructor(
    call: Call,
    admission: Admission,
    credential: ReadyCredential,
    deps: ExchangeDeps,
    renewals = 0,
  ) {
    this.#call = call;
    this.#admission = admission;
    this.#credential = credential;
    this.#deps = deps;
    this.#renewals = renewals;
    this.#response = new RelayedResponse(call, deps);
    call.exchange = this;
  }

  /** @param read the body, if it has been read */
  start(read?: Buffer): void {
    if (read !== undefined) {
      this.#dispatch(read);
      return;
    }
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
    call.trace?.upstreamResponded(status);
    if (status === 401) {
      this.#onRejected(controller);
      return;
    }
    const scopes = scopesAskedFor(this.#admission, status, headers);
    if (scopes !== undefined) {
      this.#onScopesLacking(controller, scopes, () => this.#relay(controller, status, headers));
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
    this.#relay(controller, status, headers);
  }

  #relay(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: ResponseHeaders,
  ): void {
    const call = this.#call;
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
    call.trace?.upstreamBegun();
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

  /** Sends the call once more if there is another credential and its body is still there, or refuses it. */
  #onRejected(controller: Dispatcher.DispatchController): void {
    const { limits } = this.#deps;
    const body = this.#body;
    this.#rejection = new Rejection(controller, limits.discardWithin);
    if (body instanceof BodyStream) {
      body.scanRest(limits.bodySilence, (ids) => {
        void this.#renew().then((renewed) => this.#refuse(renewed, ids));
      });
    } else {
      void this.#renew().then((renewed) => {
        if (renewed?.kind === 'ready') this.#retry(renewed, body);
        else this.#refuse(renewed, messageIdsOf(body));
      });
    }
  }

  /** Refuses the call if its person can give the scopes; otherwise the response is like any other. */
  #onScopesLacking(
    controller: Dispatcher.DispatchController,
    scopes: readonly string[],
    relay: () => void,
  ): void {
    const call = this.#call;
    const body = this.#body;
    controller.pause();
    void canGiveScopes(call, this.#admission, scopes, this.#deps).then((canGive) => {
      if (!call.hasEnded && !canGive) relay();
      if (!call.hasEnded && canGive) {
        const { limits } = this.#deps;
        this.#rejection = new Rejection(controller, limits.discardWithin);
        const refuse = (ids: MessageIds | ProblemError | undefined) =>
          this.#refuseFor(lackingScopes, ids);
        if (body instanceof BodyStream) body.scanRest(limits.bodySilence, refuse);
        else refuse(messageIdsOf(body));
      }
      controller.resume();
    });
  }

  async #renew(): Promise<CredentialOutcome | undefined> {
    const call = this.#call;
    call.isRenewing = true;
    const rejected = this.#credential;
    const found = await renewCredential(
      call,
      this.#admission,
      rejected,
      this.#deps,
      this.#renewals,
    );
    call.isRenewing = false;
    return found;
  }

  #retry(credential: ReadyCredential, body: Exclude<RequestBody, BodyStream>): void {
    const call = this.#call;
    if (call.hasEnded) return;
    const admission = { ...this.#admission, credential };
    call.admission = admission;
    this.#deps.openCalls.recheckIfChanged(call);
    new Exchange(call, admission, credential, this.#deps, this.#renewals + 1).#dispatch(body);
  }

  #refuse(
    renewed: CredentialOutcome | undefined,
    ids: MessageIds | ProblemError | undefined,
  ): void {
    this.#refuseFor((place) => rejectedCredential(this.#credential, renewed, place), ids);
  }

  #refuseFor(
    errorAt: (place: ConnectPlace) => CredentialError,
    ids: MessageIds | ProblemError | undefined,
  ): void {
    const place = connectPlaceOf(this.#deps.publicUrl, this.#admission.route.integrationId);
    try {
      this.#call.refuseForCredential(errorAt(place), ids);
    } catch (error) {
      this.#call.refuse(error);
    }
  }

  #fail(error: Error): void {
    const { route } = this.#admission;
    const { problem, outcome } = upstreamFailure(error, this.#call, route, this.#deps.log);
    this.#call.refuse(problem, outcome);
  }
}

function isPlain(headers: ResponseHeaders): boolean {
  return isPlainEventStream(headers['content-type'], headers['content-encoding']);
}
