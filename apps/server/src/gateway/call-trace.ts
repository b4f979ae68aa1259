import type { Era } from '../mcp/era.ts';
import { type Span, type Tracing, tracedMethod } from '../platform/tracing.ts';
import type { CallOutcome } from './call-record.ts';
import type { CallRequest } from './ports.ts';

const ROUTE = '/mcp/:applicationId/:integrationId';

/**
 * The spans of one call: the call itself, and within it each request to the upstream. The upstream gets the
 * client's own `traceparent`, as it gets the rest of the request, and never one of ours.
 */
export class CallTrace {
  readonly #tracing: Tracing;
  readonly #method: string;
  readonly #span: Span;
  #upstream: Span | undefined;
  #upstreamStatus: number | undefined;

  private constructor(tracing: Tracing, method: string, span: Span) {
    this.#tracing = tracing;
    this.#method = method;
    this.#span = span;
  }

  /** Undefined when the call is not sampled. */
  static begin(tracing: Tracing, request: CallRequest, era: Era): CallTrace | undefined {
    const method = tracedMethod(request.method);
    const { traceparent } = request.headers;
    const span = tracing.begin({
      name: `${method} ${ROUTE}`,
      kind: 'server',
      attributes: { 'http.request.method': method, 'http.route': ROUTE, 'gatehouse.era': era },
      parent: typeof traceparent === 'string' ? traceparent : undefined,
    });
    return span === undefined ? undefined : new CallTrace(tracing, method, span);
  }

  /** A request is sent to the upstream. */
  upstreamBegun(): void {
    this.#endUpstream(false);
    this.#upstreamStatus = undefined;
    this.#upstream = this.#tracing.begin({
      name: this.#method,
      kind: 'client',
      attributes: { 'http.request.method': this.#method },
      parent: this.#span,
    });
  }

  /** The head of the upstream's response is here. */
  upstreamResponded(status: number): void {
    this.#upstreamStatus = status;
  }

  /** @param status of our response; 0 before it has begun */
  ended(outcome: CallOutcome, status: number): void {
    this.#endUpstream(outcome === 'upstream_failed' || outcome === 'deadline');
    const shown = status === 0 ? {} : { 'http.response.status_code': status };
    this.#span.end({ ...shown, 'gatehouse.outcome': outcome }, status >= 500);
  }

  #endUpstream(hasFailed: boolean): void {
    const status = this.#upstreamStatus;
    const shown = status === undefined ? {} : { 'http.response.status_code': status };
    this.#upstream?.end(shown, hasFailed || (status !== undefined && status >= 400));
    this.#upstream = undefined;
  }
}
