import type { Logger } from 'pino';
import { closedCounter, type Metrics } from '../platform/metrics.ts';
import type { Unreadable } from './modes/mode.ts';

/** A stored credential that did not open when it was read. */
export interface UnreadableRow extends Unreadable {
  readonly rowId: string;
  readonly integrationId: string;
}

/** The most rows to remember as logged; no more are logged after that. */
const MAX_LOGGED = 10_000;

/** Counts every read of such a row, and logs each row once. */
export function createUnreadableRows(
  log: Pick<Logger, 'error'>,
  metrics: Metrics,
): (row: UnreadableRow) => void {
  const logged = new Set<string>();
  const count = closedCounter<{ reason: Unreadable['unreadable'] }>(metrics, {
    name: 'gatehouse_unreadable_credentials_total',
    help: 'Reads of stored credentials that could not be decrypted, by reason.',
    labels: { reason: ['key_not_loaded', 'decryption_failed'] },
  });
  return ({ rowId, integrationId, unreadable, keyId }) => {
    count({ reason: unreadable });
    if (logged.has(rowId) || logged.size >= MAX_LOGGED) return;
    logged.add(rowId);
    log.error(
      { rowId, integrationId, reason: unreadable, keyId },
      'a stored credential does not open',
    );
  };
}
