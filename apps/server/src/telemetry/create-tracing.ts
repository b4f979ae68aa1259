import type { Context, Span as OtelSpan, Tracer } from '@opentelemetry/api';
import type { Span, SpanAttributes, Tracing } from '../platform/tracing.ts';
import type { OpenTelemetry } from './open-telemetry.ts';

/** {@link Tracing} by a tracer of OpenTelemetry. */
export function createTracing(
  { api, core }: Pick<OpenTelemetry, 'api' | 'core'>,
  tracer: Tracer,
): Tracing {
  const propagator = new core.W3CTraceContextPropagator();
  const { SpanKind, SpanStatusCode, ROOT_CONTEXT, defaultTextMapGetter, trace } = api;
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT };

  /** Not with `tracestate`, in which a client could hide anything. */
  const contextOf = (parent: string | Span | undefined): Context => {
    if (parent instanceof RecordedSpan) return trace.setSpan(ROOT_CONTEXT, parent.span);
    if (typeof parent !== 'string') return ROOT_CONTEXT;
    return propagator.extract(ROOT_CONTEXT, { traceparent: parent }, defaultTextMapGetter);
  };

  class RecordedSpan implements Span {
    readonly span: OtelSpan;

    constructor(span: OtelSpan) {
      this.span = span;
    }

    end(attributes: SpanAttributes, hasFailed: boolean): void {
      this.span.setAttributes({ ...attributes });
      if (hasFailed) this.span.setStatus({ code: SpanStatusCode.ERROR });
      this.span.end(performance.now());
    }
  }

  return {
    begin({ name, kind, attributes, parent, startedAt = performance.now() }) {
      const options = {
        kind: kinds[kind],
        attributes: { ...attributes },
        startTime: startedAt,
      };
      const span = tracer.startSpan(name, options, contextOf(parent));
      return span.isRecording() ? new RecordedSpan(span) : undefined;
    },
  };
}
