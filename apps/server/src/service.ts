import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { assertKeysLoaded } from './credentials/key-check.ts';
import { createKeyring, type EncryptionKey } from './credentials/keyring.ts';
import { createMac } from './credentials/mac.ts';
import { createProber } from './credentials/probe.ts';
import { createCredentials } from './credentials/resolve.ts';
import { createVault } from './credentials/vault.ts';
import { createEgress } from './egress/guard.ts';
import { createGateway } from './gateway/gateway.ts';
import { startHousekeeping } from './housekeeping.ts';
import { createAuthenticator } from './http/authenticate.ts';
import { clientAddress } from './http/client-address.ts';
import { createCursors } from './http/cursor.ts';
import { createHostAndOrigin } from './http/host-and-origin.ts';
import { createIdempotency } from './http/idempotency.ts';
import { createRateLimit } from './http/rate-limit.ts';
import { createCache } from './platform/changes/create-cache.ts';
import type { Store } from './platform/database/store.ts';
import type { Metrics } from './platform/metrics.ts';
import { createSessions } from './resources/sessions/service.ts';
import type { SessionWindows } from './resources/sessions/windows.ts';
import { findTokenByHash } from './resources/tokens/repository.ts';
import { createTokenUsage } from './resources/tokens/usage.ts';

const MAX_CACHED_TOKENS = 50_000;

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
  /** `/readyz` answers 503 from now on. */
  stopServing(): void;
  /** Ends streams, waits for calls in flight (25 s at most), writes what was written behind. */
  close(): Promise<void>;
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
  const onError = (error: unknown) => log.error({ err: error }, 'background write failed');

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

  return {
    listener: (req, res) => {
      if (!gateway.handle(req, res)) app(req, res);
    },
    stopServing: () => {
      serving = false;
    },
    async close() {
      housekeeping.close();
      await gateway.close();
      await sessions.close();
      await credentials.close();
      await usage.close();
      await egress.close();
    },
  };
}
