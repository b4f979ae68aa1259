import type { Dispatcher } from 'undici';
import type { Credentials } from '../credentials/credentials.ts';
import type { CredentialOutcome, ReadyCredential } from '../credentials/outcome.ts';
import type { Egress } from '../egress/egress.ts';
import type { UpstreamEras } from '../eras/upstream-eras.ts';
import { Discarded } from '../http/discard.ts';
import { invalidToken } from '../identity/bearer.ts';
import { isTokenExpired, subjectIdOf } from '../identity/caller.ts';
import type { GreetingReader } from '../mcp/client/greeting.ts';
import type { SessionMode } from '../mcp/era.ts';
import { isPlainEventStream } from '../mcp/media-type.ts';
import type { AnnouncedList } from '../mcp/spoken-eras.ts';
import type { ProblemError } from '../platform/problem-error.ts';
import type { GatewaySessions } from '../sessions/sessions.ts';
import type { Admission } from './admission.ts';
import type { Call, CallDeps, OngoingExchange } from './call.ts';
import { updateSession } from './call-session.ts';
import {
  type ConnectPage,
  type CredentialError,
  connectPageOf,
  lackingScopes,
  rejectedCredential,
} from './credential-error.ts';
import type { GatewayLimits } from './limits.ts';
import type { OpenCalls } from './open-calls.ts';
import { listChangeEvents } from './policy/list-changes.ts';
import { noStream, upstreamFailure, upstreamRedirects } from './problems.ts';
import { canGiveScopes, renewCredential, scopesAskedFor } from './rejected-credential.ts';
import { BodyStream, messageIdsOf, type RequestBody } from './request-body.ts';
import { requestHeadersFor } from './request-head.ts';
import type { CallResponse, ResponseDeps } from './response.ts';
import type { ResponseHeaders } from './response-head.ts';

export interface ExchangeDeps extends CallDeps, ResponseDeps {
  readonly sessions: GatewaySessions;
  readonly openCalls: OpenCalls;
  readonly limits: GatewayLimits;
  readonly egress: Pick<Egress, 'poolFor'>;
  readonly eras: Pick<UpstreamEras, 'learn'>;
  readonly credentials: Pick<
    Credentials,
    'renew' | 'wantScopes' | 'reportAccepted' | 'reportRejected'
  >;
  /** Our origin. */
  readonly publicUrl: string;
}

/** Bytes of a rejection that are read before its connection is closed instead of reused. */
const MAX_REJECTION_BYTES = 64 * 1024;

/** The upstream side of one call: sends the request and, as undici's handler, receives the response. */
export class Exchange implements Dispatcher.DispatchHandler, OngoingExchange {
  readonly #call: Call;
  readonly #admission: Admission;
  readonly #credential: ReadyCredential;
  readonly #deps: ExchangeDeps;
  readonly #renewals: number;
  readonly #response: CallResponse;
  #body: RequestBody = null;
  #greeting: GreetingReader | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  /** The rest of a rejection, read while the call is refused so that the connection can be reused. */
  #rejection: Discarded | undefined;

  /** @param renewals how many other credentials the upstream has rejected for the same call. */
  constructor(
    call: Call,
    admission: Admission,
    credential: ReadyCredential,
    response: CallResponse,
    deps: ExchangeDeps,
    renewals = 0,
  ) {
    this.#call = call;
    this.#admission = admission;
    this.#credential = credential;
    this.#deps = deps;
    this.#renewals = renewals;
    this.#response = response;
    call.startExchange(this);
  }

  get isSending(): boolean {
    return this.#body instanceof BodyStream && !this.#body.isRead;
  }

  abort(): void {
    // A rejection is read to its end, within its limits.
    if (this.#rejection === undefined) this.#controller?.abort(new Error('The call has ended.'));
  }

  keepAlive(now: number): void {
    this.#response.keepAlive(now);
    if (this.#response.isAnswered(this.#body)) this.#call.noteAnswer();
  }

  announceListChanges(lists: readonly AnnouncedList[]): void {
    for (const event of listChangeEvents(this.#call, this.#body, lists))
      this.#response.insert(event);
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
    const scopes = status === 403 ? scopesAskedFor(this.#admission, headers) : undefined;
    if (scopes !== undefined) {
      this.#onScopesLacking(controller, scopes, () => this.#relay(controller, status, headers));
      return;
    }
    if (status >= 300 && status < 400) {
      call.refuse(upstreamRedirects(status), 'upstream_failed');
      return;
    }
    if (call.request.method === 'GET' && status < 300 && !isPlain(headers)) {
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
    const { sessionMode } = this.#admission;
    const updated = updateSession(call, this.#admission, this.#deps, status, headers);
    if (updated === undefined) {
      this.#respond(status, headers, sessionMode);
      return;
    }
    controller.pause();
    updated.then(
      () => {
        if (!call.hasEnded) this.#respond(status, headers, sessionMode);
        controller.resume();
      },
      (error: unknown) => call.refuse(error),
    );
  }

  /** A call that waited while its permission was taken away must not become a stream that stays. */
  #respond(status: number, headers: ResponseHeaders, sessionMode: SessionMode): void {
    this.#greeting?.begin(status, headers);
    this.#response.start(status, headers, sessionMode);
    if (this.#call.isStream && !this.#call.hasEnded) {
      this.#deps.openCalls.reauthorizeIfChanged(this.#call);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#rejection !== undefined) this.#rejection.read(chunk);
    else if (!this.#call.hasEnded) {
      this.#response.write(controller, chunk);
      this.#greeting?.read(chunk);
      if (this.#call.hasEnded) this.#greeting?.end();
    }
  }

  onResponseEnd(): void {
    if (this.#rejection !== undefined) this.#rejection.end();
    else if (!this.#call.hasEnded) {
      this.#greeting?.end();
      this.#response.end();
    }
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#rejection !== undefined) this.#rejection.end();
    else if (!this.#call.hasEnded) this.#fail(error);
  }

  /** Sends the request. */
  start(body: RequestBody): void {
    const call = this.#call;
    this.#body = body;
    if (call.hasEnded) return;
    const { route, caller } = this.#admission;
    // The body may have arrived slowly, and the expiry of a token is not announced.
    if (isTokenExpired(caller, Date.now())) {
      call.refuse(invalidToken());
      return;
    }
    if (body instanceof Buffer) this.#greeting = this.#greetingIn(body);
    call.trace?.upstreamBegun();
    const { organizationId } = caller;
    const { headers: credential } = this.#credential;
    try {
      const sender = { organizationId, userId: subjectIdOf(caller), credential };
      this.#deps.egress.poolFor(route.destination, sender).dispatch(
        {
          path: route.path,
          method: call.request.method,
          headers: requestHeadersFor(
            call,
            this.#admission,
            credential,
            body,
            this.#response.mustBePlain,
          ),
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

  #greetingIn(body: Buffer): GreetingReader | undefined {
    const { mcpMethod, protocolVersion } = this.#call.inbound;
    const { route, sessionMode } = this.#admission;
    const request = { mcpMethod, protocolVersion, sessionMode, body };
    return this.#deps.eras.learn(route, request, route.policy?.hasNameRules === true);
  }

  /** Sends the call once more if there is another credential and its body is still there, or refuses it. */
  #onRejected(controller: Dispatcher.DispatchController): void {
    const { limits } = this.#deps;
    const body = this.#body;
    this.#rejection = discardRejection(controller, limits.discardWithin);
    void this.#renew().then((renewed) => {
      const isThere = !(body instanceof BodyStream);
      if (isThere && renewed?.kind === 'ready') this.#retry(renewed, body);
      else this.#refuseFor((page) => rejectedCredential(this.#credential, renewed, page));
    });
  }

  /** Refuses the call if its user can grant the scopes; otherwise the response is relayed. */
  #onScopesLacking(
    controller: Dispatcher.DispatchController,
    scopes: readonly string[],
    relay: () => void,
  ): void {
    const call = this.#call;
    controller.pause();
    void canGiveScopes(call, this.#admission, scopes, this.#deps).then((canGive) => {
      if (!call.hasEnded && !canGive) relay();
      if (!call.hasEnded && canGive) {
        this.#rejection = discardRejection(controller, this.#deps.limits.discardWithin);
        this.#refuseFor(lackingScopes);
      }
      controller.resume();
    });
  }

  async #renew(): Promise<CredentialOutcome | undefined> {
    const call = this.#call;
    call.startRenewing();
    const rejected = this.#credential;
    return renewCredential(call, this.#admission, rejected, this.#deps, this.#renewals);
  }

  #retry(credential: ReadyCredential, body: Exclude<RequestBody, BodyStream>): void {
    const call = this.#call;
    if (call.hasEnded) return;
    const admission = { ...this.#admission, credential };
    call.admit(admission);
    this.#deps.openCalls.reauthorizeIfChanged(call);
    new Exchange(call, admission, credential, this.#response, this.#deps, this.#renewals + 1).start(
      body,
    );
  }

  #refuseFor(errorWith: (page: ConnectPage) => CredentialError): void {
    const page = connectPageOf(this.#deps.publicUrl, this.#admission.route.integrationId);
    try {
      this.#call.answer(this.#call.rpcAnswer(errorWith(page), messageIdsOf(this.#body)));
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

function discardRejection(
  controller: Dispatcher.DispatchController,
  discardWithin: number,
): Discarded {
  const limits = { bytes: MAX_REJECTION_BYTES, time: discardWithin };
  return new Discarded(limits, () =>
    controller.abort(new Error('The rest of the rejection is not read.')),
  );
}
