import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { copyServer, openRoute, startGatehouse } from './gatehouse.mjs';
import { freePort, startNode, stop, untilReady } from './processes.mjs';

const fileOf = (name) => fileURLToPath(new URL(`../targets/${name}.mjs`, import.meta.url));

/** A certificate for `localhost` that signs itself. */
const certificates = fileURLToPath(
  new URL('../../apps/server/test/egress/fixtures', import.meta.url),
);
const certificate = `${certificates}/localhost.cert.pem`;

const DIRECT = 'direct';
export const PASSTHROUGH = 'node:http passthrough';
const GATEHOUSE = 'Gatehouse';
const EMBEDDED = 'Gatehouse, embedded database';

/** Added to the name of a target that runs the server of the checkout given by `--against`. */
export const OTHER_CHECKOUT = ' (other checkout)';

/**
 * The upstream and everything through which it is called, each in its own process. An endpoint is
 * `{ name, pid, port, path, token }`. The token is the upstream's, except for Gatehouse.
 */
export class Stage {
  #upstreamToken = randomBytes(32).toString('base64url');
  #stops = [];
  #postgresql;

  constructor(postgresql) {
    this.#postgresql = postgresql;
  }

  async startUpstream() {
    const port = await freePort();
    const child = startNode(fileOf('upstream'), { args: [String(port), this.#upstreamToken] });
    await untilReady(child, `http://127.0.0.1:${port}/counts`);
    this.#stops.push(() => stop(child));
    this.direct = { name: DIRECT, pid: child.pid, port, path: '/mcp', token: this.#upstreamToken };
    return this.direct;
  }

  /** Many small upstreams in one process (`targets/servers.mjs`). @returns its origin */
  async startServers() {
    const port = await freePort();
    const child = startNode(fileOf('servers'), { args: [String(port)] });
    await untilReady(child, `http://127.0.0.1:${port}/ready`);
    this.#stops.push(() => stop(child));
    return `http://127.0.0.1:${port}`;
  }

  /** The upstream behind TLS. */
  async startTlsFront() {
    const port = await freePort();
    const args = [String(port), String(this.direct.port), certificates];
    const child = startNode(fileOf('tls-front'), { args, hasIpc: true });
    await once(child, 'message');
    this.#stops.push(() => stop(child));
    const ca = readFileSync(certificate);
    return { ...this.direct, pid: child.pid, port, ca, origin: `https://localhost:${port}` };
  }

  /** @param upstream the endpoint that it relays to; default: the upstream itself. */
  async startPassthrough(upstream = this.direct) {
    const port = await freePort();
    const args = [port, upstream.port].map(String);
    const child = startNode(fileOf('passthrough'), {
      args: upstream.ca ? [...args, certificate] : args,
    });
    await untilReady(child, `http://127.0.0.1:${port}/counts`);
    const end = () => stop(child);
    this.#stops.push(end);
    const { path, token } = this.direct;
    return { name: PASSTHROUGH, pid: child.pid, port, path, token, stop: end };
  }

  /**
   * @param checkout start the server of this checkout (a folder); default: this one.
   * @param upstream the endpoint that it relays to; default: the upstream itself.
   * @param env further variables.
   */
  async startGatehouse({ isEmbedded = false, checkout, upstream = this.direct, env } = {}) {
    const name = `${isEmbedded ? EMBEDDED : GATEHOUSE}${checkout ? OTHER_CHECKOUT : ''}`;
    const gatehouse = await startGatehouse({
      main: copyServer(checkout ? 'server-other' : 'server', { checkout }),
      databaseUrl: isEmbedded ? undefined : await this.#postgresql.createDatabase(),
      env: {
        ...env,
        ...(upstream.ca && {
          NODE_EXTRA_CA_CERTS: certificate,
          GATEHOUSE_ALLOWED_NETWORKS: '127.0.0.0/8,::1',
        }),
      },
    });
    this.#stops.push(gatehouse.stop);
    const path = await openRoute(gatehouse, upstream);
    const { pid, port, token } = gatehouse;
    return { name, pid, port, path, token, api: gatehouse.api, stop: gatehouse.stop };
  }

  /** The number of requests that reached the upstream with its bearer token, and without. */
  async counts() {
    return (await fetch(`http://127.0.0.1:${this.direct.port}/counts`)).json();
  }

  async close() {
    for (const end of this.#stops.reverse()) await end();
  }
}
