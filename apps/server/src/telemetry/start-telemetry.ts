import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Context, Span as OtelSpan, Tracer } from '@opentelemetry/api';
import type { ExportResult } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Span, SpanAttributes, Tracing } from '../platform/tracing.ts';
import { loadOpenTelemetry, type OpenTelemetry } from './open-telemetry.ts';
import { registryProducer } from './registry-producer.ts';
import { telemetrySettings, unheededProtocols } from './telemetry-settings.ts';

/** Milliseconds to send the last spans and metrics when the process ends. */
const CLOSE_LIMIT = 3_000;

const DEFAULT_INTERVAL = 60_000;

interface TelemetryOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly registry: Registry;
  readonly version: string;
  readonly log: Pick<Logger, 'warn'>;
}

/** Sends traces and metrics to a collector, by OTLP. */
export interface Telemetry {
  /** Undefined where only metrics are sent. */
  readonly tracing: Tracing | undefined;
  /** Sends what is left, for 3 s at most. Never rejects. */
  close(): Promise<void>;
}

/** One that can be ended, such as the providers of OpenTelemetry. */
interface Sender {
  shutdown(): Promise<void>;
}

interface Exporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void;
}

/**
 * Undefined unless the standard variables of OpenTelemetry name a collector. Only then is anything of it
 * loaded. The exporters read their variables from the process themselves; what does not fit into their
 * queues (2,048 spans) is dropped.
 *
 * @throws ConfigError
 */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry | undefined> {
  const { environment, log } = options;
  const settings = telemetrySettings(environment);
  if (!settings.traces && !settings.metrics) return undefined;
  for (const variable of unheededProtocols(environment)) {
    log.warn({ variable }, 'traces and metrics are sent as http/protobuf');
  }
  const otel = await loadOpenTelemetry();
  const resource = resourceOf(otel, options);
  const onFailure = logOnce(log);
  const provider = settings.traces ? tracerProvider(otel, resource, onFailure) : undefined;
  const senders: Sender[] = provider === undefined ? [] : [provider];
  if (settings.metrics) senders.push(meterProvider(otel, resource, options, onFailure));
  return {
    tracing: provider && createTracing(otel, provider.getTracer('gatehouse', options.version)),
    async close() {
      const closed = Promise.allSettled(senders.map((sender) => sender.shutdown()));
      await Promise.race([closed, delay(CLOSE_LIMIT)]);
    },
  };
}

function resourceOf({ resources }: OpenTelemetry, { version }: TelemetryOptions): Resource {
  const own = {
    'service.name': 'gatehouse',
    'service.version': version,
    // Distinguishes the metrics of two nodes.
    'service.instance.id': randomUUID(),
  };
  const { envDetector, detectResources, resourceFromAttributes } = resources;
  return resourceFromAttributes(own).merge(detectResources({ detectors: [envDetector] }));
}

function tracerProvider(
  { traces, traceExporter }: OpenTelemetry,
  resource: Resource,
  onFailure: (error: unknown) => void,
) {
  const exporter = watched(new traceExporter.OTLPTraceExporter(), onFailure);
  const spanProcessors = [new traces.BatchSpanProcessor(exporter)];
  return new traces.BasicTracerProvider({ resource, spanProcessors });
}

function meterProvider(
  otel: OpenTelemetry,
  resource: Resource,
  { environment, registry }: TelemetryOptions,
  onFailure: (error: unknown) => void,
): Sender {
  const { metrics, metricExporter } = otel;
  const exportIntervalMillis = Number(environment.OTEL_METRIC_EXPORT_INTERVAL) || DEFAULT_INTERVAL;
  const reader = new metrics.PeriodicExportingMetricReader({
    exporter: watched(new metricExporter.OTLPMetricExporter(), onFailure),
    exportIntervalMillis,
    exportTimeoutMillis: exportIntervalMillis,
    metricProducers: [registryProducer(otel, registry)],
  });
  return new metrics.MeterProvider({ resource, readers: [reader] });
}

/** The exporter, which also reports failures. */
function watched<Items, E extends Exporter<Items>>(
  exporter: E & Exporter<Items>,
  onFailure: (error: unknown) => void,
): E {
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) =>
    send(items, (result) => {
      if (result.error !== undefined) onFailure(result.error);
      done(result);
    });
  return exporter;
}

function logOnce(log: Pick<Logger, 'warn'>): (error: unknown) => void {
  let isLogged = false;
  return (error) => {
    if (!isLogged) log.warn({ err: error }, 'traces or metrics were not taken by their collector');
    isLogged = true;
  };
}

/** {@link Tracing} by a tracer of OpenTelemetry. */
function createTracing(
  { api, core }: Pick<OpenTelemetry, 'api' | 'core'>,
  tracer: Tracer,
): Tracing {
  const propagator = new core.W3CTraceContextPropagator();
  const { SpanKind, SpanStatusCode, ROOT_CONTEXT, defaultTextMapGetter, trace } = api;
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT };

  /** Without `tracestate`, where a client could hide anything. */
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
