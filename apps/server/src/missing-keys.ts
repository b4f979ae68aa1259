import type { Logger } from 'pino';
import type { Metrics } from './platform/metrics.ts';
import { observedGauge } from './platform/observed-gauge.ts';
import type { Keyring } from './vault/keyring.ts';

/** Logs keys that stored values name and that are not loaded, and tells the metrics how many there are. */
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
    // One that was added while the process runs is not missing any more.
    () => [...missing].filter((keyId) => !keyring.ids.includes(keyId)).length,
  );
  return (keyId) => {
    missing.add(keyId);
    log.error({ keyId }, 'stored values need an encryption key that is not loaded');
  };
}
