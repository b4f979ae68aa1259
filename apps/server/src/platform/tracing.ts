/** The attributes of a request: closed lists and route templates, never ids, URLs, headers or bodies. */
export interface SpanAttributes {
  readonly 'http.request.method'?: string;
  /** The template of the path. */
  readonly 'http.route'?: string;
  readonly 'http.response.status_code'?: number;
  /** Of the management API. */
  readonly 'gatehouse.operation'?: string;
  readonly 'gatehouse.era'?: string;
  readonly 'gatehouse.outcome'?: string;
}

export interface SpanStart {
  readonly name: string;
  /** `server`: a request to us. `client`: one of ours. */
  readonly kind: 'server' | 'client';
  readonly attributes: SpanAttributes;
  /** The caller's `traceparent` (W3C Trace Context), or a span of ours. */
  readonly parent?: string | Span | undefined;
  /** By the clock of `performance`; default now. */
  readonly startedAt?: number;
}

/** A request that is being recorded. */
export interface Span {
  /** Once. @param hasFailed whether it counts as an error */
  end(attributes: SpanAttributes, hasFailed: boolean): void;
}

/** Records requests for a collector. It never throws or waits. */
export interface Tracing {
  /** Undefined when the request is not sampled. */
  begin(start: SpanStart): Span | undefined;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A method as traces name it (OpenTelemetry, "HTTP spans"): clients may send any word. */
export function tracedMethod(method: string | undefined): string {
  return method !== undefined && METHODS.has(method) ? method : '_OTHER';
}
