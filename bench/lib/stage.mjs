import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { copyServer, openRoute, startGatehouse } from './gatehouse.mjs';
import { freePort, startNode, stop, untilReady } from './processes.mjs';

const fileOf = (name) => fileURLToPath(new URL(`../targets/${name}.mjs`, import.meta.url));

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

  async startPassthrough() {
    const port = await freePort();
    const child = startNode(fileOf('passthrough'), { args: [port, this.direct.port].map(String) });
    await untilReady(child, `http://127.0.0.1:${port}/counts`);
    const end = () => stop(child);
    this.#stops.push(end);
    return { ...this.direct, name: PASSTHROUGH, pid: child.pid, port, stop: end };
  }

  /** @param checkout the folder of another checkout whose server is started; default: this one's. */
  async startGatehouse({ isEmbedded = false, checkout } = {}) {
    const name = `${isEmbedded ? EMBEDDED : GATEHOUSE}${checkout ? OTHER_CHECKOUT : ''}`;
    const gatehouse = await startGatehouse({
      main: copyServer(checkout ? 'server-other' : 'server', { checkout }),
      databaseUrl: isEmbedded ? undefined : await this.#postgresql.createDatabase(),
    });
    this.#stops.push(gatehouse.stop);
    const path = await openRoute(gatehouse, this.direct);
    const { pid, port, token } = gatehouse;
    return { name, pid, port, path, token, stop: gatehouse.stop };
  }

  /** The number of requests that reached the upstream with its bearer token, and without. */
  async counts() {
    return (await fetch(`http://127.0.0.1:${this.direct.port}/counts`)).json();
  }

  async close() {
    for (const end of this.#stops.reverse()) await end();
  }
}
