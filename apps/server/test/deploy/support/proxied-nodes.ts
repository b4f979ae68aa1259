import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort, type LaunchedGatehouse } from '@gatehouse/harness';
import { type Api, createApi } from '../../process/support/api.ts';
import { startServer } from '../../process/support/servers.ts';
import { afterFile } from '../../support/after-file.ts';
import { administer, createPostgresqlDatabase } from '../../support/database.ts';
import { nginx, type TestedProxy } from './proxies.ts';

/** Two nodes on one PostgreSQL behind a proxy, with the configuration that operators get. */
export interface ProxiedNodes {
  /** Of the proxy, `https://localhost:<port>`: the public URL of both nodes. */
  readonly origin: string;
  /** Through the first node. */
  readonly api: Api;
  readonly token: string;
  /** As `docs/run/upgrade.md` says: restarts a node and waits until the proxy uses it again. */
  restart(node: 0 | 1): Promise<void>;
  /** Starts a node that has ended, and waits until the proxy uses it again. */
  start(node: 0 | 1): Promise<void>;
  process(node: 0 | 1): LaunchedGatehouse;
  /** Whether the database of the nodes takes writes. */
  setReadOnly(isReadOnly: boolean): Promise<void>;
  /** Where the nodes listen themselves. */
  readonly ports: readonly [number, number];
}

export async function startProxiedNodes(proxy: TestedProxy = nginx): Promise<ProxiedNodes> {
  const database = await createPostgresqlDatabase();
  afterFile(() => database.drop());
  const port = await findFreePort();
  const origin = `https://localhost:${port}`;
  const ports = [await findFreePort(), await findFreePort()] as const;
  const env = {
    GATEHOUSE_PUBLIC_URL: origin,
    GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1',
    // Not 0, with which failed authentications are not counted.
    GATEHOUSE_RATE_LIMIT: '1000000',
    ...proxy.env,
  };
  const start = (node: 0 | 1, bootstrapToken?: string): Promise<LaunchedGatehouse> =>
    startServer({
      databaseUrl: database.config.databaseUrl,
      port: ports[node],
      env,
      ...(bootstrapToken !== undefined && { bootstrapToken }),
    });
  const first = await start(0);
  const token = first.bootstrapToken;
  const nodes: [LaunchedGatehouse, LaunchedGatehouse] = [first, await start(1, token)];
  afterFile(() => Promise.all(nodes.map((node) => node.stop())));
  await proxy.start(port, ports);
  const startAgain = async (node: 0 | 1): Promise<void> => {
    nodes[node] = await start(node, token);
    await delay(proxy.notices);
  };
  return {
    origin,
    api: createApi(first),
    token,
    async restart(node) {
      const { code } = await nodes[node].stop();
      if (code !== 0) throw new Error(`A node ended with ${code}.`);
      await startAgain(node);
    },
    start: startAgain,
    process: (node) => nodes[node],
    async setReadOnly(isReadOnly) {
      const name = new URL(database.config.databaseUrl).pathname.slice(1);
      await administer(`ALTER DATABASE ${name} SET default_transaction_read_only = ${isReadOnly}`);
      await administer(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
      );
    },
    ports,
  };
}
