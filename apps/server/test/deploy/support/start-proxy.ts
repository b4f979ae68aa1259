import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort, launch } from '@gatehouse/harness';
import { vi } from 'vitest';
import { afterFile } from '../../support/after-file.ts';
import { isListening } from '../../support/is-listening.ts';
import { deployFile } from './deploy-file.ts';

const fixtures = fileURLToPath(new URL('../../egress/fixtures/', import.meta.url));

/** The authority that signed the proxies' certificate. */
export const authorityFile = join(fixtures, 'authority.cert.pem');

/** Of the file of `deploy`. */
export type Change = (site: string) => string;

/** The ports of the nodes. */
export type Nodes = readonly [number, number];

export async function startNginx(port: number, nodes: Nodes, change = unchanged): Promise<void> {
  const { folder, certificate, key } = createFolder();
  const site = readDeployed('nginx/gatehouse.conf', nodes)
    .replace('listen 80;', `listen 127.0.0.1:${await findFreePort()};`)
    .replace('listen 443 ', `listen ${port} `)
    .replaceAll('gatehouse.example.com', 'localhost')
    .replace('/etc/nginx/tls/gatehouse.crt', certificate)
    .replace('/etc/nginx/tls/gatehouse.key', key);
  writeFileSync(join(folder, 'site.conf'), change(site));
  writeFileSync(join(folder, 'nginx.conf'), mainConfiguration(folder));
  await run('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], {
    port,
    node: nodes[0],
    folder,
  });
}

export async function startCaddy(port: number, nodes: Nodes, change = unchanged): Promise<void> {
  const { folder, certificate, key } = createFolder();
  const options = '{\n\tadmin off\n\tauto_https disable_redirects\n}\n';
  const site = readDeployed('caddy/Caddyfile', nodes).replace(
    'gatehouse.example.com {',
    `https://localhost:${port} {\n\ttls ${certificate} ${key}`,
  );
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, options + change(site));
  await run('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    port,
    node: nodes[0],
    folder,
  });
}

export async function startHaproxy(port: number, nodes: Nodes, change = unchanged): Promise<void> {
  const { folder, certificate, key } = createFolder();
  const both = join(folder, 'both.pem');
  writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
  const site = readDeployed('haproxy/haproxy.cfg', nodes)
    .replace('bind :80', `bind 127.0.0.1:${await findFreePort()}`)
    .replace('bind :443 ', `bind :${port} `)
    .replaceAll('gatehouse.example.com', 'localhost')
    .replace('/etc/haproxy/tls/gatehouse.pem', both)
    // Only root may change its user.
    .replace(/^ +(user|group) haproxy\n/gm, '');
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, change(site));
  await run('haproxy', ['-db', '-dW', '-f', file], { port, node: nodes[0], folder });
}

function unchanged(site: string): string {
  return site;
}

function readDeployed(name: string, [first, second]: Nodes): string {
  return readFileSync(deployFile(name), 'utf8')
    .replaceAll('127.0.0.1:3001', `127.0.0.1:${first}`)
    .replaceAll('127.0.0.1:3002', `127.0.0.1:${second}`);
}

function createFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-proxy-'));
  afterFile(() => rmSync(folder, { recursive: true }));
  // The workers of nginx run as another user.
  chmodSync(folder, 0o755);
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  copyFileSync(join(fixtures, 'trusted.cert.pem'), certificate);
  copyFileSync(join(fixtures, 'localhost.key.pem'), key);
  return { folder, certificate, key };
}

interface Where {
  /** Of the proxy. */
  readonly port: number;
  /** The port of a node. */
  readonly node: number;
  readonly folder: string;
}

/** Resolves when the program listens. */
async function run(command: string, args: string[], { port, node, folder }: Where): Promise<void> {
  const program = await launch({
    command,
    args,
    // What Caddy keeps goes into the folder.
    env: { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder },
    // That of a node: how to ask nginx and Caddy is not the same.
    readyWhen: { url: `http://127.0.0.1:${node}/healthz` },
  });
  afterFile(() => program.stop());
  await vi.waitUntil(() => isListening(port, 'localhost'), { timeout: 30_000, interval: 20 });
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
