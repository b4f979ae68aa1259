import { type HttpServer, MAX_CONNECTIONS } from './http-server.ts';
import type { Store } from './platform/database/store.ts';
import type { Metrics } from './platform/metrics.ts';
import { observedGauge } from './platform/observed-gauge.ts';
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
