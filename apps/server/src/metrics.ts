import { type AuditVerification, auditVerdicts } from '@gatehouse/contract';
import type { Logger } from 'pino';
import { type HttpServer, MAX_CONNECTIONS } from './http-server.ts';
import type { Build } from './platform/build.ts';
import type { Store } from './platform/database/store.ts';
import { closedCounter, infoGauge, type Metrics, observedGauge } from './platform/metrics.ts';
import type { Keyring } from './vault/keyring.ts';
import type { NodeKeys } from './vault/node-keys.ts';

interface Node {
  readonly server: HttpServer;
  readonly nodeKeys: NodeKeys;
  readonly store: Store;
}

/** Registers what is to be known of this process among other nodes. */
export function observeNode(metrics: Metrics, { server, nodeKeys, store }: Node): void {
  observedGauge(
    metrics,
    { name: 'gatehouse_connections_open', help: 'Connections of clients that are open.' },
    () => server.countConnections(),
  );
  observedGauge(
    metrics,
    { name: 'gatehouse_connections_max', help: 'Connections that this node takes at most.' },
    () => MAX_CONNECTIONS,
  );
  observedGauge(
    metrics,
    {
      name: 'gatehouse_keys_in_conflict',
      help: 'Whether a running node cannot open what another one seals: 1 or 0.',
    },
    () => Number(!nodeKeys.areShared()),
  );
  observedGauge(
    metrics,
    {
      name: 'gatehouse_memory_trusted',
      help: 'Whether this node hears of changes in time to trust its memory: 1 or 0.',
    },
    () => Number(store.changes.isFresh()),
  );
}

/** Registers which version runs, and the commit that it was built of. */
export function observeBuild(
  metrics: Metrics,
  { version, build }: { readonly version: string; readonly build?: Build | undefined },
): void {
  infoGauge(metrics, {
    name: 'gatehouse_build_info',
    help: 'Always 1; its labels have the version of this node and its build.',
    labels: { version, commit: build?.commit ?? 'unknown' },
  });
}

/** Counts the calls that the audit loses. */
export function countLostCalls(metrics: Metrics): () => void {
  const count = closedCounter(metrics, {
    name: 'gatehouse_audit_calls_lost_total',
    help: 'Gateway calls that the audit has lost, because too many waited to be written.',
    labels: {},
  });
  return () => count({});
}

/** Logs verifications of the audit, and counts them. */
export function noteVerifications(
  metrics: Metrics,
  log: Pick<Logger, 'info' | 'error'>,
): (result: AuditVerification) => void {
  const count = closedCounter(metrics, {
    name: 'gatehouse_audit_verifications_total',
    help: 'Verifications of the whole audit by this node, by their verdict.',
    labels: { verdict: auditVerdicts },
  });
  return ({ verdict, findings, blocks, calls, changes }) => {
    count({ verdict });
    if (verdict === 'verified') log.info({ blocks, calls, changes }, 'audit verified');
    else log.error({ findings }, 'audit not verified');
  };
}

/** Registers how many calls wait for the audit. */
export function observeAudit(metrics: Metrics, audit: { readonly waiting: number }): void {
  observedGauge(
    metrics,
    {
      name: 'gatehouse_audit_calls_waiting',
      help: 'Gateway calls that wait to be written to the audit.',
    },
    () => audit.waiting,
  );
}

/** Registers how many sessions are in use on this node. */
export function observeSessions(metrics: Metrics, activity: { countLive(): number }): void {
  observedGauge(
    metrics,
    {
      name: 'gatehouse_sessions_live',
      help: 'Sessions with a call or stream in flight on this node.',
    },
    () => activity.countLive(),
  );
}

/** Logs keys that stored values name and that are not loaded, and counts them. */
export function noteMissingKeys(
  keyring: Keyring,
  metrics: Metrics,
  log: Pick<Logger, 'error'>,
): (keyId: string) => void {
  const missing = new Set<string>();
  observedGauge(
    metrics,
    {
      name: 'gatehouse_keys_missing',
      help: 'Encryption keys that stored values have needed since the start and that are not loaded.',
    },
    // A key that was added while the process runs is no longer missing.
    () => [...missing].filter((keyId) => !keyring.ids.includes(keyId)).length,
  );
  return (keyId) => {
    missing.add(keyId);
    log.error({ keyId }, 'stored values need an encryption key that is not loaded');
  };
}

/** Counts failures of work in the background. */
export function countBackgroundFailures(metrics: Metrics): (labels: Record<never, never>) => void {
  return closedCounter(metrics, {
    name: 'gatehouse_background_failures_total',
    help: 'Work in the background that has failed, such as writes that are tried again.',
    labels: {},
  });
}
