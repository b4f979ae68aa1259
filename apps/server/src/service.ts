import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { createProber } from './credentials/probe/prober.ts';
import { createCredentials } from './credentials/resolve.ts';
import { createEgress } from './egress/egress.ts';
import { endStep } from './end-step.ts';
import { createGateway } from './gateway/gateway.ts';
import { startHousekeeping } from './housekeeping.ts';
import { clientAddress } from './http/client-address.ts';
import { createCursors } from './http/cursor.ts';
import { createHostAndOrigin } from './http/host-and-origin.ts';
import { createIdempotency } from './http/idempotency.ts';
import { createRateLimit } from './http/rate-limit.ts';
import { createAuthenticator } from './identity/authenticator.ts';
import { createTokenUsage } from './identity/token-use.ts';
import { findTokenByHash } from './identity/tokens.ts';
import { createCache } from './platform/changes/create-cache.ts';
import type { Store } from './platform/database/store.ts';
import type { Metrics } from './platform/metrics.ts';
import { createSessions } from './sessions/node-sessions.ts';
import type { SessionWindows } from './sessions/windows.ts';
import { assertKeysLoaded } from './vault/key-check.ts';
import { createKeyring, type EncryptionKey } from './vault/keyring.ts';
import { createMac } from './vault/mac.ts';
import { createVault } from './vault/vault.ts';

const MAX_CACHED_TOKENS = 50_000;

/** Milliseconds: more than the gateway gives its calls. */
const GATEWAY_CLOSES_WITHIN = 30_000;

export interface ServiceConfig {
  readonly publicUrl: string;
  readonly allowedOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly allowedNetworks: readonly string[];
  readonly rateLimit: number;
  readonly metricsToken: string | undefined;
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly sessionWindows: SessionWindows;
  readonly version: string;
}

export interface Service {
  readonly listener: RequestListener;
  /**
   * From now on `/readyz` answers 503, the gateway refuses calls, and every answer ends its connection.
   * Resolves when streams are ended and gateway calls in flight are over, which takes 25 s at most.
   */
  stopServing(): Promise<void>;
  /**
   * Stops serving, and writes what was written behind. Never rejects: what fails is logged.
   *
   * @returns false when something was not written.
   */
  close(): Promise<boolean>;
}

/** Puts the rooms together: who may call whom is decided here and nowhere else. */
export async function createService(
  config: ServiceConfig,
  store: Store,
  log: Logger,
  metrics: Metrics,
): Promise<Service> {
  const keyring = createKeyring(config.encryptionKeys);
  await assertKeysLoaded(store.db, keyring);
  const vault = createVault(keyring);
  let failedWrites = 0;
  const onError = (error: unknown) => {
    failedWrites += 1;
    log.error({ err: error }, 'background write failed');
  };

  const usage = createTokenUsage(store, onError);
  const authenticator = createAuthenticator({
    cache: createCache({ changes: store.changes, maxEntries: MAX_CACHED_TOKENS }),
    findByHash: (hash) => findTokenByHash(store.db, hash),
    noteUse: usage.note,
  });
  const egress = createEgress({ allowedNetworks: config.allowedNetworks });
  const credentials = createCredentials({ store, vault, onError });
  const sessions = createSessions({ store, vault, windows: config.sessionWindows, onError });
  const hostAndOrigin = createHostAndOrigin(config);
  const rateLimit = createRateLimit(config.rateLimit);
  const addressOf = clientAddress(config.trustedProxies);
  const gateway = createGateway({
    store,
    authenticator,
    credentials,
    egress,
    sessions,
    hostAndOrigin,
    countFailure: (req) => rateLimit.countFailure(addressOf(req)),
    metrics,
    log,
  });
  const housekeeping = startHousekeeping(store, config.sessionWindows, onError);

  let serving = true;
  const app = createApp({
    deps: {
      store,
      idempotency: createIdempotency(store, vault, createMac(keyring, 'idempotency')),
      cursors: createCursors(createMac(keyring, 'cursor')),
      vault,
      credentials,
      prober: createProber({ credentials, egress }),
      egress,
      sessions,
      publicUrl: config.publicUrl,
    },
    health: {
      store,
      authenticator,
      rateLimit,
      registry: metrics.registry,
      metricsToken: config.metricsToken,
      isServing: () => serving,
    },
    authenticator,
    rateLimit,
    hostAndOrigin,
    trustedProxies: config.trustedProxies,
    version: config.version,
    metrics,
    log,
  });

  const stopServing = () => {
    serving = false;
    return gateway.close();
  };
  return {
    listener: (req, res) => {
      if (gateway.handle(req, res)) return;
      if (!serving) res.setHeader('Connection', 'close');
      app(req, res);
    },
    stopServing,
    async close() {
      housekeeping.close();
      const isGatewayClosed = await endStep(log, 'gateway', stopServing(), GATEWAY_CLOSES_WITHIN);
      const before = failedWrites;
      const steps = [
        ['sessions', sessions.close()],
        ['credentials', credentials.close()],
        ['token usage', usage.close()],
        ['egress', egress.close()],
      ] as const;
      const ended = await Promise.all(steps.map(([name, step]) => endStep(log, name, step)));
      return isGatewayClosed && ended.every(Boolean) && failedWrites === before;
    },
  };
}
