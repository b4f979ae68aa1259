/** The libraries of OpenTelemetry. They are loaded only where something is sent to a collector. */
export async function loadOpenTelemetry() {
  const [api, core, resources, traces, metrics, traceExporter, metricExporter] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
    import('@opentelemetry/exporter-metrics-otlp-proto'),
  ]);
  return { api, core, resources, traces, metrics, traceExporter, metricExporter };
}

export type OpenTelemetry = Awaited<ReturnType<typeof loadOpenTelemetry>>;
