import type { RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { service } from './identity/actor.ts';
import { recordForAll } from './identity/record-for-all.ts';
import { observeBuild } from './metrics.ts';
import type { Store, Tx } from './platform/database/store.ts';
import { logEvent } from './platform/events/log-event.ts';
import type { Metrics } from './platform/metrics.ts';
import { assertKeysLoaded } from './vault/key-check.ts';
import { createKeyring, type Keyring } from './vault/keyring.ts';
import { type Parts, wire } from './wiring.ts';
import type { ServiceConfig } from './wiring-base.ts';

export type { ServiceConfig } from './wiring-base.ts';

/** In milliseconds; more than the gateway gives its calls. */
const GATEWAY_CLOSE_TIMEOUT = 30_000;

/** Milliseconds for one step of the shutdown: a database that hangs must not keep the process alive. */
const STEP_TIMEOUT = 5_000;

/** The service from its first request to its last write. */
export interface Service {
  readonly listener: RequestListener;
  /** From now on `/readyz` answers 503. Everything else continues. */
  turnUnready(): void;
  /**
   * From now on the gateway refuses calls. Resolves when streams are ended and gateway calls in flight
   * are over, which takes 23 s at most.
   */
  stopServing(): Promise<void>;
  /**
   * Stops serving, then writes what is still waiting to be written. Never rejects: failures are logged.
   *
   * @returns false when something was not written.
   */
  close(): Promise<boolean>;
}

/**
 * @param keyring default: of the configured keys
 * @throws KeyringError when a stored secret needs an encryption key that is not loaded.
 */
export async function createService(
  config: ServiceConfig,
  store: Store,
  log: Logger,
  metrics: Metrics,
  keyring: Keyring = createKeyring(config.encryptionKeys),
): Promise<Service> {
  store.subscribeToEvents(({ event }) => logEvent(log, event));
  await store.transaction((tx) => checkKeys(tx, keyring));
  observeBuild(metrics, config);

  let isServing = true;
  let failedWrites = 0;
  const parts = wire(config, {
    store,
    keyring,
    log,
    metrics,
    isServing: () => isServing,
    onError: (error) => {
      failedWrites += 1;
      log.error({ err: error }, 'background write failed');
    },
  });
  const { gateway, serveGateway, app } = parts;

  return {
    listener: (req, res) => {
      if (!serveGateway(req, res)) app(req, res);
    },
    turnUnready() {
      isServing = false;
    },
    stopServing: () => gateway.close(),
    async close() {
      parts.housekeeping.close();
      const isGatewayClosed = await endStep(log, 'gateway', gateway.close(), GATEWAY_CLOSE_TIMEOUT);
      const failedBefore = failedWrites;
      parts.authorizationServer.close();
      const areClosed = await closeParts(parts, log);
      return isGatewayClosed && areClosed && failedWrites === failedBefore;
    },
  };
}

/** A key that is put first in GATEHOUSE_ENCRYPTION_KEYS seals from a start on. @throws KeyringError */
async function checkKeys(tx: Tx, keyring: Keyring): Promise<void> {
  if (!(await assertKeysLoaded(tx.db, keyring))) return;
  const activated = { action: 'installation.key_activated', keyId: keyring.activeId } as const;
  await recordForAll(tx, (organizationId) => service(organizationId, 'start'), activated);
}

/** False when a part did not close in order. */
async function closeParts(
  {
    audit,
    sessions,
    credentials,
    tokenUsage,
    usage,
    revalidations,
    revoker,
    eras,
    catalogues,
    callLimits,
    egress,
  }: Parts,
  log: Logger,
): Promise<boolean> {
  const closed = await Promise.all([
    endStep(log, 'sessions', sessions.close()),
    endStep(log, 'credentials', credentials.close()),
    endStep(log, 'token usage', tokenUsage.close()),
    endStep(log, 'usage', usage.close()),
    endStep(log, 'validations', revalidations.close()),
    endStep(log, 'revocations', revoker.close()),
    endStep(log, 'eras', eras.close()),
    endStep(log, 'tools', catalogues.close()),
    endStep(log, 'limits', callLimits.close()),
  ]);
  // After everything that records.
  const isAuditClosed = await endStep(log, 'audit', audit.close());
  // After the refreshes and revocations that have begun.
  const isEgressClosed = await endStep(log, 'egress', egress.close());
  return isAuditClosed && isEgressClosed && closed.every(Boolean);
}

/** Waits for one step of the shutdown. False when it failed or took too long, which is logged; the other steps go on. */
export async function endStep(
  log: Logger,
  step: string,
  ended: Promise<unknown>,
  within = STEP_TIMEOUT,
): Promise<boolean> {
  const over = new AbortController();
  const isLate = delay(within, true, { signal: over.signal }).catch(() => false);
  try {
    if (!(await Promise.race([ended.then(() => false), isLate]))) return true;
    log.error({ step, within }, 'not ended in time');
  } catch (error) {
    log.error({ step, err: error }, 'not ended in order');
  } finally {
    over.abort();
  }
  return false;
}
