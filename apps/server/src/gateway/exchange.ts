import type { Dispatcher } from 'undici';
import type { CredentialOutcome, Credentials } from '../credentials/outcome.ts';
import type { Egress } from '../egress/egress.ts';
import { toEgressError } from '../egress/errors.ts';
import { askedBy } from '../mcp/request-ids.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { GatewaySessions } from '../sessions/sessions.ts';
import type { Admission, Call, CallDeps, Upstream } from './call.ts';
import { settleSession } from './call-session.ts';
import { rejectedCredential } from './credential-refusal.ts';
import type { GatewayLimits } from './limits.ts';
import type { OpenCalls } from './open-calls.ts';
import { responseTooLarge, upstreamRedirects, upstreamUnreachable } from './problems.ts';
import { BodyStream, readWhole } from './request-body.ts';
import { upstreamHeaders } from './request-head.ts';
import {
  contentLengthOf,
  isEventStream,
  OWN_HEADERS,
  passedHeaders,
  type UpstreamHeaders,
} from './response-head.ts';

export interface ExchangeDeps extends CallDeps {
  readonly sessions: GatewaySessions;
  readonly openCalls: OpenCalls;
  readonly egress: Pick<Egress, 'poolFor'>;
  readonly credentials: Pick<Credentials, 'reportAccepted' | 'reportRefused'>;
  readonly limits: GatewayLimits;
}

type Ready = Extract<CredentialOutcome, { readonly kind: 'ready' }>;

/** A response up to this size that comes in one piece goes out in one. */
const MAX_TEXT = 16 * 1024;

/** Read of an upstream's refusal before its connection is given up instead of kept. */
const MAX_DISCARDED = 64 * 1024;

/** The upstream's side of one call: sends the request, and as undici's handler passes the response on. */
export class Exchange implements Dispatcher.DispatchHandler, Upstream {
  readonly #call: Call;
  readonly #admission: Admission;
  readonly #credential: Ready;
  readonly #deps: ExchangeDeps;
  #controller: Dispatcher.DispatchController | undefined;
  #stream: BodyStream | undefined;
  #whole: Buffer | undefined;
  #isDiscarding = false;
  #discardTimer: NodeJS.Timeout | undefined;
  #isHeadHeld = false;
  /** The declared length of the response. */
  #length: number | undefined;
  #received = 0;

  constructor(call: Call, admission: Admission, credential: Ready, deps: ExchangeDeps) {
    this.#call = call;
    this.#admission = admission;
    this.#credential = credential;
    this.#deps = deps;
    call.upstream = this;
  }

  start(): void {
    const { req, inbound } = this.#call;
    const { requestBytes, keptBytes } = this.#deps.limits;
    const { contentLength, isChunked } = inbound;
    if (req.method !== 'POST' || (!isChunked && !contentLength)) {
      this.#dispatch(null);
    } else if (contentLength !== undefined && contentLength <= keptBytes) {
      readWhole(req, contentLength, (body) => {
        this.#whole = body;
        this.#dispatch(body);
      });
    } else {
      this.#stream = new BodyStream(req, requestBytes);
      this.#dispatch(this.#stream);
    }
  }

  letGo(): void {
    this.#stream?.destroy();
    if (!this.#isDiscarding) this.#controller?.abort(new Error('The call is over.'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#call.isOver) controller.abort(new Error('The call is over.'));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: UpstreamHeaders,
  ): void {
    const call = this.#call;
    if (status < 200 || call.isOver) return;
    if (status === 401) {
      this.#reject(controller);
      return;
    }
    if (status >= 300 && status < 400) {
      call.refuse(upstreamRedirects(status), 'upstream_failed');
      return;
    }
    const { connectionId } = this.#credential;
    if (status < 300 && connectionId !== undefined) {
      this.#deps.credentials.reportAccepted(connectionId);
    }
    const settled = settleSession(call, this.#admission, this.#deps, status, headers);
    if (settled === undefined) {
      this.#answer(status, headers);
      return;
    }
    controller.pause();
    settled.then(
      () => {
        if (!call.isOver) this.#answer(status, headers);
        controller.resume();
      },
      (error: unknown) => call.refuse(error),
    );
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const call = this.#call;
    const { limits, sessions } = this.#deps;
    this.#received += chunk.length;
    if (this.#isDiscarding) {
      if (this.#received > MAX_DISCARDED) giveUp(controller);
      return;
    }
    if (call.isOver) return;
    if (call.isStream) {
      if (call.session !== undefined) sessions.touch(call.session);
    } else if (this.#received > limits.responseBytes) {
      call.refuse(responseTooLarge(), 'too_large');
      return;
    }
    if (this.#isHeadHeld) {
      this.#isHeadHeld = false;
      if (this.#length === chunk.length && chunk.length <= MAX_TEXT) {
        // As text the body joins the head in one piece; latin1 keeps every byte as it is.
        call.res.end(chunk.toString('latin1'), 'latin1');
        call.finish('relayed');
        return;
      }
    }
    if (call.res.write(chunk) || call.res.writableLength <= limits.bufferedBytes) return;
    controller.pause();
    call.res.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    clearTimeout(this.#discardTimer);
    if (this.#call.isOver || this.#isDiscarding) return;
    this.#call.res.end();
    this.#call.finish('relayed');
  }

  onResponseError(_controller: unknown, error: Error): void {
    const call = this.#call;
    clearTimeout(this.#discardTimer);
    if (call.isOver || this.#isDiscarding) return;
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
    call.refuse(upstreamUnreachable(), 'upstream_failed');
  }

  #dispatch(body: Buffer | BodyStream | null): void {
    const call = this.#call;
    if (call.isOver) return;
    const { route } = this.#admission;
    const carrying = this.#credential.headers.length === 0 ? 'nothing' : 'credentials';
    try {
      this.#deps.egress.poolFor(route.destination, carrying).dispatch(
        {
          path: route.path,
          method: call.req.method ?? 'POST',
          headers: this.#headers(),
          body,
          // Nothing is sent twice, not even what HTTP calls idempotent.
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

  #headers(): string[] {
    const { inbound, session } = this.#call;
    const { token } = this.#admission;
    const headers = upstreamHeaders(inbound.forwarded, token, this.#credential.headers);
    if (session?.upstreamSessionId !== undefined) {
      headers.push('mcp-session-id', session.upstreamSessionId);
    }
    if (this.#stream !== undefined && inbound.contentLength !== undefined) {
      headers.push('content-length', String(inbound.contentLength));
    }
    return headers;
  }

  #answer(status: number, headers: UpstreamHeaders): void {
    const call = this.#call;
    const { metrics, openCalls, limits } = this.#deps;
    call.isStream = isEventStream(headers);
    this.#length = contentLengthOf(headers);
    if (!call.isStream && this.#length !== undefined && this.#length > limits.responseBytes) {
      call.refuse(responseTooLarge(), 'too_large');
      return;
    }
    const head = passedHeaders(headers);
    head.push(...OWN_HEADERS, 'X-Request-Id', call.requestId, ...call.extraHeaders);
    const clientSessionId = this.#clientSessionIdFor(headers);
    if (clientSessionId !== undefined) head.push('Mcp-Session-Id', clientSessionId);
    if (openCalls.isClosing) head.push('Connection', 'close');
    call.res.writeHead(status, head);
    // The head leaves in this turn even if no body follows it.
    this.#isHeadHeld = true;
    process.nextTick(sendHead, this);
    metrics.observeHead(call.era, (performance.now() - call.startedAt) / 1000);
  }

  sendHead(): void {
    const { res } = this.#call;
    if (this.#isHeadHeld && !res.writableEnded && !res.destroyed) res.flushHeaders();
    this.#isHeadHeld = false;
  }

  /** The client's own id where the upstream named its session, never the upstream's. */
  #clientSessionIdFor(headers: UpstreamHeaders): string | undefined {
    const { clientSessionId, inbound } = this.#call;
    if (clientSessionId !== undefined) return clientSessionId;
    const isEchoed = this.#admission.use === 'legacy' && headers['mcp-session-id'] !== undefined;
    return isEchoed ? inbound.sessionId : undefined;
  }

  #reject(controller: Dispatcher.DispatchController): void {
    const { connectionId } = this.#credential;
    if (connectionId !== undefined) this.#deps.credentials.reportRefused(connectionId);
    const call = this.#call;
    const refusal = rejectedCredential(this.#credential, this.#admission.route.integrationId);
    // The upstream's own text is read and dropped, so that its connection can be used again.
    this.#isDiscarding = true;
    const { discardWithin } = this.#deps.limits;
    this.#discardTimer = setTimeout(giveUp, discardWithin, controller).unref();
    if (this.#stream === undefined) {
      call.refuseCredential(refusal, this.#whole && askedBy(this.#whole));
    } else {
      const { bodySilence } = this.#deps.limits;
      this.#stream.readAsked(bodySilence, (asked) => call.refuseCredential(refusal, asked));
    }
  }
}

function giveUp(controller: Dispatcher.DispatchController): void {
  controller.abort(new Error('The refusal has no end.'));
}

function sendHead(exchange: Exchange): void {
  exchange.sendHead();
}
