export {
  latencyBounds,
  latencyBucketOf,
  latencyBuckets,
  latencyPercentile,
} from '../rules/latency.ts';
export {
  type UsageGrouping,
  type UsageOutcome,
  type UsageStep,
  usageIdsOf,
  usageKeptHours,
  usageOutcomes,
  usageSeriesFor,
  usageStepOf,
  usageStepsBetween,
} from '../rules/usage.ts';
export {
  type UsagePoint,
  type UsageQuery,
  type UsageResponse,
  type UsageSeries,
  type UsageTotal,
  usageResponseSchema,
} from './usage.schema.ts';
