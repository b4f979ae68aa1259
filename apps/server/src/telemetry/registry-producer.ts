import type { HrTime } from '@opentelemetry/api';
import type { MetricData, MetricProducer } from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';
import type { OpenTelemetry } from './open-telemetry.ts';

type Family = MetricObjectWithValues<MetricValue<string>>;
type Labels = Readonly<Record<string, string | number>>;
type Times = { readonly startTime: HrTime; readonly endTime: HrTime };

/** The metrics of a registry, by the same names, labels and units, as OpenTelemetry sends them. */
export function registryProducer(
  otel: Pick<OpenTelemetry, 'api' | 'metrics' | 'resources'>,
  registry: Registry,
): MetricProducer {
  const startTime = hrTime(performance.timeOrigin);
  return {
    async collect() {
      const families = (await registry.getMetricsAsJSON()) as Family[];
      const times = { startTime, endTime: hrTime(Date.now()) };
      const metrics = families.map((family) => metricOf(otel, family, times));
      const scopeMetrics = [{ scope: { name: 'gatehouse' }, metrics }];
      const resource = otel.resources.emptyResource();
      return { resourceMetrics: { resource, scopeMetrics }, errors: [] };
    },
  };
}

function metricOf(
  { api, metrics: sdk }: Pick<OpenTelemetry, 'api' | 'metrics'>,
  { name, help, type, values }: Family,
  times: Times,
): MetricData {
  const common = {
    // The unit is in the name; given twice, collectors would add it to the name once more.
    descriptor: { name, description: help, unit: '', valueType: api.ValueType.DOUBLE },
    aggregationTemporality: sdk.AggregationTemporality.CUMULATIVE,
  };
  if (String(type) === 'histogram') {
    return {
      ...common,
      dataPointType: sdk.DataPointType.HISTOGRAM,
      dataPoints: histogramsOf(name, values).map((point) => ({ ...times, ...point })),
    };
  }
  const dataPoints = values.map(({ value, labels }) => ({
    ...times,
    attributes: labelsOf(labels),
    value,
  }));
  return String(type) === 'counter'
    ? { ...common, dataPointType: sdk.DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...common, dataPointType: sdk.DataPointType.GAUGE, dataPoints };
}

interface Collected {
  readonly attributes: Record<string, string>;
  readonly boundaries: number[];
  /** Prometheus counts all observations up to each boundary; the last one counts all. */
  readonly upTo: number[];
  sum: number;
  count: number;
}

function histogramsOf(
  name: string,
  values: readonly (MetricValue<string> & { metricName?: string })[],
) {
  const found = new Map<string, Collected>();
  for (const { value, labels, metricName } of values) {
    const { le, ...attributes } = labelsOf(labels);
    const key = JSON.stringify(Object.entries(attributes).sort());
    const one = found.get(key) ?? { attributes, boundaries: [], upTo: [], sum: 0, count: 0 };
    found.set(key, one);
    if (metricName === `${name}_sum`) one.sum = value;
    else if (metricName === `${name}_count`) one.count = value;
    else {
      if (le !== '+Inf') one.boundaries.push(Number(le));
      one.upTo.push(value);
    }
  }
  return [...found.values()].map(({ attributes, boundaries, upTo, sum, count }) => {
    const counts = upTo.map((total, index) => total - (upTo[index - 1] ?? 0));
    return { attributes, value: { buckets: { boundaries, counts }, sum, count } };
  });
}

function labelsOf(labels: Partial<Labels>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}

function hrTime(milliseconds: number): HrTime {
  const seconds = Math.trunc(milliseconds / 1_000);
  return [seconds, Math.round((milliseconds - seconds * 1_000) * 1e6)];
}
