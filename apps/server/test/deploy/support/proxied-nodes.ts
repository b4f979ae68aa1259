import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort, type LaunchedGatehouse } from '@gatehouse/harness';
import { type Api, createApi } from '../../process/support/api.ts';
import { startServer } from '../../process/support/servers.ts';
import { afterFile } from '../../support/after-file.ts';
import { createPostgresqlDatabase } from '../../support/database.ts';
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
  const nodes = [first, await start(1, token)];
  afterFile(() => Promise.all(nodes.map((node) => node.stop())));
  await proxy.start(port, ports);
  return {
    origin,
    api: createApi(first),
    token,
    async restart(node) {
      const ended = await nodes[node]?.stop();
      if (ended?.code !== 0) throw new Error(`A node ended with ${ended?.code}.`);
      nodes[node] = await start(node, token);
      await delay(proxy.notices);
    },
    ports,
  };
}
