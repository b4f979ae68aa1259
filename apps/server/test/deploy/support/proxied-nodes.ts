import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort, type LaunchedGatehouse, launch } from '@gatehouse/harness';
import { type Api, createApi } from '../../process/support/api.ts';
import { startServer } from '../../process/support/servers.ts';
import { afterFile } from '../../support/after-file.ts';
import { createPostgresqlDatabase } from '../../support/database.ts';
import { deployFile } from './deploy-file.ts';

const fixtures = fileURLToPath(new URL('../../egress/fixtures/', import.meta.url));

/** The authority that signed the proxy's certificate. */
export const authority = readFileSync(join(fixtures, 'authority.cert.pem'));

/** Two nodes on one PostgreSQL behind nginx, with the configuration that operators get. */
export interface ProxiedNodes {
  /** Of the proxy, `https://localhost:<port>`: the public URL of both nodes. */
  readonly origin: string;
  /** Through the first node. */
  readonly api: Api;
  readonly token: string;
  /** As `docs/run/upgrade.md` says: restarts a node and waits until nginx uses it again. */
  restart(node: 0 | 1): Promise<void>;
}

/** Milliseconds: more than the `fail_timeout` for which nginx leaves a node out. */
const LEFT_OUT = 3_000;

export async function startProxiedNodes(): Promise<ProxiedNodes> {
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
  await startNginx(port, ports);
  return {
    origin,
    api: createApi(first),
    token,
    async restart(node) {
      const ended = await nodes[node]?.stop();
      if (ended?.code !== 0) throw new Error(`A node ended with ${ended?.code}.`);
      nodes[node] = await start(node, token);
      await delay(LEFT_OUT);
    },
  };
}

/** nginx with the file of `deploy`, in which only addresses and the paths of the certificate are others. */
async function startNginx(port: number, nodes: readonly [number, number]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-nginx-'));
  afterFile(() => rmSync(folder, { recursive: true }));
  // Its workers run as another user.
  chmodSync(folder, 0o755);
  for (const name of ['trusted.cert.pem', 'localhost.key.pem']) {
    copyFileSync(join(fixtures, name), join(folder, name));
  }
  const site = readFileSync(deployFile('nginx/gatehouse.conf'), 'utf8')
    .replace('listen 80;', `listen 127.0.0.1:${await findFreePort()};`)
    .replace('listen 443 ', `listen ${port} `)
    .replace('127.0.0.1:3001', `127.0.0.1:${nodes[0]}`)
    .replace('127.0.0.1:3002', `127.0.0.1:${nodes[1]}`)
    .replaceAll('gatehouse.example.com', 'localhost')
    .replace('/etc/nginx/tls/gatehouse.crt', join(folder, 'trusted.cert.pem'))
    .replace('/etc/nginx/tls/gatehouse.key', join(folder, 'localhost.key.pem'));
  writeFileSync(join(folder, 'site.conf'), site);
  writeFileSync(join(folder, 'nginx.conf'), mainConfiguration(folder));
  const nginx = await launch({
    command: 'nginx',
    args: ['-c', join(folder, 'nginx.conf'), '-p', folder],
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
    readyWhen: { url: `http://127.0.0.1:${nodes[0]}/healthz` },
  });
  afterFile(() => nginx.stop());
}

function mainConfiguration(folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
daemon off;
pid ${folder}/nginx.pid;
error_log stderr warn;
worker_processes 2;
events { worker_connections 1024; }
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  include ${folder}/site.conf;
}
`;
}
