/** Samples of one node for each minute, in the notation of promtool, by series without job and instance. */
type Series = Readonly<Record<string, string>>;

/** When an alert fires, and when it does not. */
export interface AlertCase {
  readonly firing: Series;
  readonly quiet: Series;
  /** Minutes after which it fires; until shortly before, it does not. */
  readonly after: number;
  /** It is about all nodes together. */
  readonly isOfAll?: true;
  /** Its labels beside those of the job and the node. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The job of the series, if it is not that of the nodes. */
  readonly job?: string;
}

/** Grows by this many each minute, for two hours. */
const grows = (by: number) => `0+${by}x120`;
const stays = (value: number) => `${value}x120`;

const calls = (outcome: string, status: string) =>
  `gatehouse_gateway_calls_total{outcome="${outcome}",era="modern",status="${status}"}`;
const requests = (operation: string, status: string) =>
  `gatehouse_http_request_seconds_count{operation="${operation}",status="${status}"}`;
const refreshes = (outcome: string) => `gatehouse_token_refreshes_total{outcome="${outcome}"}`;
const signIns = (way: string, outcome: string) =>
  `gatehouse_sign_ins_total{way="${way}",outcome="${outcome}"}`;
const unreadable = (reason: string) => `gatehouse_unreadable_credentials_total{reason="${reason}"}`;

const verifications = (verdict: string) =>
  `gatehouse_audit_verifications_total{verdict="${verdict}"}`;
const build = (version: string, commit: string) =>
  `gatehouse_build_info{version="${version}",commit="${commit}"}`;

/** The calls each minute that reached the head of their response within these seconds; the last is all of them. */
function heads(integration: string, within: Readonly<Record<number, number>>): Series {
  const name = 'gatehouse_gateway_head_seconds';
  const label = `integration="${integration}",era="modern"`;
  const all = Math.max(...Object.values(within));
  const buckets = Object.entries({ ...within, '+Inf': all }).map(([le, by]) => [
    `${name}_bucket{${label},le="${le}"}`,
    grows(by),
  ]);
  return { ...Object.fromEntries(buckets), [`${name}_count{${label}}`]: grows(all) };
}

/** Seconds. */
const DAY = 86_400;

/** Of every alert in `deploy/prometheus/alerts.yml`. */
export const ALERT_CASES: Readonly<Record<string, AlertCase>> = {
  GatehouseDown: { firing: { up: stays(0) }, quiet: { up: stays(1) }, after: 2 },
  GatehouseNotReady: {
    firing: { gatehouse_ready: stays(0) },
    quiet: { gatehouse_ready: stays(1) },
    after: 2,
  },
  GatehouseCallErrors: {
    firing: { [calls('relayed', '2xx')]: grows(970), [calls('refused', '5xx')]: grows(30) },
    // Other people's failures, and refusals that are right.
    quiet: {
      [calls('relayed', '2xx')]: grows(500),
      [calls('relayed', '5xx')]: grows(300),
      [calls('refused', '4xx')]: grows(300),
      [calls('refused', '5xx')]: grows(10),
    },
    after: 6,
  },
  GatehouseApiErrors: {
    firing: {
      [requests('integrations.list', '200')]: grows(90),
      [requests('integrations.list', '503')]: grows(10),
    },
    quiet: {
      [requests('integrations.list', '200')]: grows(90),
      [requests('integrations.list', '404')]: grows(50),
      [requests('none', '503')]: grows(500),
    },
    after: 6,
  },
  GatehouseUpstreamFailures: {
    firing: {
      [calls('relayed', '2xx')]: grows(80),
      [calls('upstream_failed', '5xx')]: grows(12),
      [calls('deadline', '5xx')]: grows(8),
    },
    quiet: {
      [calls('relayed', '2xx')]: grows(80),
      [calls('upstream_failed', '5xx')]: grows(5),
      [calls('client_left', 'none')]: grows(50),
    },
    after: 11,
  },
  GatehouseUpstreamSlow: {
    firing: heads('slow', { 10: 90, 30: 100 }),
    quiet: { ...heads('fast', { 0.25: 98, 30: 100 }), ...heads('rare', { 10: 0, 30: 1 }) },
    after: 11,
    isOfAll: true,
    labels: { integration: 'slow' },
  },
  GatehouseRefreshFailures: {
    firing: { [refreshes('refreshed')]: grows(2), [refreshes('transient')]: grows(1) },
    quiet: { [refreshes('refreshed')]: grows(2), [refreshes('needs_user')]: grows(5) },
    after: 16,
    isOfAll: true,
  },
  GatehouseTokensLost: {
    firing: { [refreshes('lost')]: '0x9 1x110' },
    quiet: { [refreshes('lost')]: stays(3), [refreshes('transient')]: grows(5) },
    after: 10,
  },
  GatehouseSignInFailures: {
    firing: {
      [signIns('password', 'refused')]: grows(3),
      [signIns('provider', 'refused')]: grows(2),
      [signIns('password', 'signed_in')]: grows(1),
    },
    // A Monday morning.
    quiet: {
      [signIns('password', 'refused')]: grows(5),
      [signIns('provider', 'signed_in')]: grows(20),
    },
    after: 12,
    isOfAll: true,
  },
  GatehouseKeyMissing: {
    firing: { gatehouse_keys_missing: stays(1) },
    quiet: { gatehouse_keys_missing: stays(0) },
    after: 1,
  },
  GatehouseKeysInConflict: {
    firing: { gatehouse_keys_in_conflict: stays(1) },
    quiet: { gatehouse_keys_in_conflict: stays(0) },
    after: 2,
  },
  GatehouseCredentialDamaged: {
    firing: { [unreadable('decryption_failed')]: '0x9 1x110' },
    quiet: {
      [unreadable('decryption_failed')]: stays(2),
      [unreadable('key_not_loaded')]: grows(5),
    },
    after: 10,
  },
  GatehouseMemoryNotTrusted: {
    firing: { gatehouse_memory_trusted: stays(0) },
    // It comes back in time, again and again.
    quiet: { gatehouse_memory_trusted: '0x3 1 0x3 1 0x3 1 0x3 1 1x100' },
    after: 5,
  },
  GatehouseAuditCallsLost: {
    firing: { gatehouse_audit_calls_lost_total: '0x9 1x110' },
    quiet: { gatehouse_audit_calls_lost_total: stays(5) },
    after: 10,
  },
  GatehouseAuditNotVerified: {
    firing: { [verifications('failed')]: '0x9 1x110' },
    quiet: { [verifications('verified')]: '0x9 1x110' },
    after: 10,
  },
  GatehouseAuditVerificationLate: {
    firing: { up: '1x3000', [verifications('verified')]: '3x3000' },
    // Once a day, by any node.
    quiet: { up: '1x3000', [verifications('verified')]: '0x1400 1x1440 2x200' },
    after: 27 * 60 + 60,
    isOfAll: true,
  },
  GatehouseDatabaseSlow: {
    firing: { gatehouse_database_check_seconds: stays(0.6) },
    quiet: { gatehouse_database_check_seconds: stays(0.4) },
    after: 10,
  },
  GatehouseEventLoopLag: {
    firing: { nodejs_eventloop_lag_p99_seconds: stays(0.3) },
    quiet: { nodejs_eventloop_lag_p99_seconds: stays(0.02) },
    after: 10,
  },
  GatehouseNearLimit: {
    firing: {
      gatehouse_connections_open: stays(8_500),
      gatehouse_connections_max: stays(10_000),
    },
    quiet: {
      gatehouse_connections_open: stays(5_000),
      gatehouse_connections_max: stays(10_000),
      process_open_fds: stays(900),
      process_max_fds: stays(24_000),
    },
    after: 5,
  },
  GatehouseBackgroundFailures: {
    firing: { gatehouse_background_failures_total: grows(1) },
    quiet: { gatehouse_background_failures_total: '0x9 3x110' },
    after: 6,
  },
  GatehouseMixedVersions: {
    firing: { [build('0.1.0', 'a')]: stays(1), [build('0.1.0', 'b')]: stays(1) },
    quiet: { [build('0.1.0', 'a')]: stays(1) },
    after: 60,
    isOfAll: true,
  },
  GatehouseCertificateEnds: {
    firing: { probe_ssl_earliest_cert_expiry: stays(13 * DAY) },
    quiet: { probe_ssl_earliest_cert_expiry: stays(30 * DAY) },
    after: 60,
    job: 'gatehouse-outside',
  },
};
