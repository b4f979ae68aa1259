/**
 * Which calls are counted, how long a point is, and what a series is for.
 */
export interface UsageQuery {
  /** RFC 3339. The first point is the step that contains it. */
  readonly from: string;
  /** RFC 3339, exclusive. */
  readonly to: string;
  /** How long a point is, in UTC. Minutes are kept for 48 hours, hours for 35 days, days for 400 days or as the operator has set. */
  readonly step: 'minute' | 'hour' | 'day';
  /** A series for each of these; without it, one for everything. Minutes are not kept by tool or person. */
  readonly groupBy?: 'application' | 'integration' | 'tool' | 'person' | 'outcome' | undefined;
  /** Only calls through these applications, at most 100 ids, separated by commas. */
  readonly applicationId?: string | undefined;
  /** Only calls of these integrations, at most 100 ids, separated by commas. */
  readonly integrationId?: string | undefined;
}

/**
 * Calls that ended in one span of time.
 */
export interface UsageTotal {
  /** Messages of clients: each of a batch counts, and GET and DELETE count as one. */
  calls: number;
  /** Those of them that the gateway refused: by rules, for a missing or rejected credential, or for their form. */
  refusals: number;
  /** Those that failed in the gateway. */
  errors: number;
  /** Those that failed at the MCP server or on the way to it, and its responses of 500 and above. */
  upstreamErrors: number;
  /** Of the bodies of requests. */
  bytesIn: number;
  /** Of the bodies of responses. */
  bytesOut: number;
  /** Milliseconds within which half of the calls ended, interpolated; `null` without calls. */
  p50: number | null;
  p95: number | null;
  p99: number | null;
  /** ISO 8601. When the last of the errors and upstream errors ended. */
  lastErrorAt: string | null;
}

/**
 * The calls that ended in one minute, hour or day.
 */
export interface UsagePoint extends UsageTotal {
  /** ISO 8601. When the step begins. */
  at: string;
}

/**
 * The calls of one application, integration, tool, person or outcome, or all of them.
 */
export interface UsageSeries {
  /**
   * The id of the application, integration or person (for client credentials of the application), the name of the tool, or
   * one of `ok`, `refused`, `error`, `upstream_error`. `null` without `groupBy`.
   */
  key: string | null;
  /** All steps together. Percentiles of steps cannot be added. */
  total: UsageTotal;
  /** Every step of the span. */
  points: UsagePoint[];
}

/**
 * The response of `GET /usage`.
 */
export interface UsageResponse {
  /** At most 100, the one with the most calls first. */
  series: UsageSeries[];
}
