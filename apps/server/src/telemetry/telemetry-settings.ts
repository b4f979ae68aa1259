import { ConfigError } from '../platform/config/config.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What is sent to a collector. */
export interface TelemetrySettings {
  readonly traces: boolean;
  readonly metrics: boolean;
}

/** The supported variables of OpenTelemetry. An empty one counts as not set. */
export const TELEMETRY_VARIABLES: Readonly<Record<string, string>> = {
  OTEL_EXPORTER_OTLP_ENDPOINT:
    'The collector, such as `http://collector:4318`: `/v1/traces` and `/v1/metrics` are added to it. Traces and metrics are sent if it is set.',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'The whole URL for traces.',
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'The whole URL for metrics.',
  OTEL_EXPORTER_OTLP_HEADERS:
    'Headers for the collector, such as `authorization=Bearer%20…`. A secret.',
  OTEL_EXPORTER_OTLP_TIMEOUT: 'Milliseconds for one attempt to send; 10,000 by default.',
  OTEL_EXPORTER_OTLP_PROTOCOL: 'Only `http/protobuf`, the default, is there.',
  OTEL_TRACES_EXPORTER: '`none` sends no traces.',
  OTEL_METRICS_EXPORTER: '`none` sends no metrics.',
  OTEL_SERVICE_NAME: '`gatehouse` by default.',
  OTEL_RESOURCE_ATTRIBUTES:
    'More attributes of this node, such as `deployment.environment.name=production`.',
  OTEL_TRACES_SAMPLER:
    'Which requests are traced: `parentbased_always_on` by default, which follows the caller.',
  OTEL_TRACES_SAMPLER_ARG: 'For the samplers by ratio, such as `0.1`.',
  OTEL_METRIC_EXPORT_INTERVAL:
    'Milliseconds between two reports of the metrics; 60,000 by default.',
  OTEL_SDK_DISABLED: '`true` sends nothing at all.',
};

const PROTOCOLS = new Set([undefined, 'http/protobuf']);

/** @throws ConfigError for an endpoint that is no URL, which the exporters would replace by one on this machine */
export function telemetrySettings(environment: Environment): TelemetrySettings {
  const read = (name: string) => environment[name]?.trim() || undefined;
  if (read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return { traces: false, metrics: false };
  const isSent = (signal: 'TRACES' | 'METRICS') => {
    if (read(`OTEL_${signal}_EXPORTER`) === 'none') return false;
    const names = ['OTEL_EXPORTER_OTLP_ENDPOINT', `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`];
    return names.map((name) => isEndpoint(name, read(name))).includes(true);
  };
  return { traces: isSent('TRACES'), metrics: isSent('METRICS') };
}

/** Variables that demand an unsupported protocol. */
export function unheededProtocols(environment: Environment): string[] {
  return ['', 'TRACES_', 'METRICS_']
    .map((signal) => `OTEL_EXPORTER_OTLP_${signal}PROTOCOL`)
    .filter((name) => !PROTOCOLS.has(environment[name]?.trim() || undefined));
}

function isEndpoint(name: string, value: string | undefined): boolean {
  if (value === undefined) return false;
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return true;
  throw new ConfigError(`${name}: expected an http or https URL.`);
}
