import { isProgramMissing } from './program.ts';
import { type Change, type Nodes, startCaddy, startHaproxy, startNginx } from './start-proxy.ts';

/** A proxy with its file of `deploy`, in which only addresses and the certificate are others. */
export interface TestedProxy {
  readonly program: string;
  /** Settings of the nodes behind this proxy. */
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds after which it surely uses a node that is ready. */
  readonly notices: number;
  /** The body that a request for another host gets. */
  readonly toOtherHosts: RegExp;
  /** Milliseconds after which calls surely no longer fail when the process of a node has gone. */
  readonly skips: number;
  /** Milliseconds after which a node that answers nothing surely gets no more calls; undefined where it does. */
  readonly leavesOut?: number;
  /** The body of the answer to a write while no node is ready. */
  readonly whenUnready: RegExp;
  /** What makes it keep events back until their stream ends. */
  readonly toBuffer?: Change;
  /** Starts it at a port of localhost, before nodes at the other ports. */
  start(port: number, nodes: Nodes, change?: Change): Promise<void>;
}

export const nginx: TestedProxy = {
  program: 'nginx',
  env: {},
  notices: 0,
  toOtherHosts: /"code":"host_not_allowed"/,
  skips: 0,
  whenUnready: /"code":"database_unavailable"/,
  toBuffer: (site) =>
    site.replace(
      'proxy_buffering off;',
      'proxy_buffering on; proxy_ignore_headers X-Accel-Buffering;',
    ),
  start: startNginx,
};

const caddy: TestedProxy = {
  program: 'caddy',
  env: { GATEHOUSE_SHUTDOWN_DELAY: '3s' },
  notices: 3_000,
  toOtherHosts: /^$/,
  // It cannot repeat a request with a body.
  skips: 3_000,
  whenUnready: /^$/,
  leavesOut: 4_000,
  start: startCaddy,
};

const haproxy: TestedProxy = {
  program: 'haproxy',
  env: { GATEHOUSE_SHUTDOWN_DELAY: '3s' },
  notices: 3_000,
  toOtherHosts: /"code":"host_not_allowed"/,
  skips: 0,
  whenUnready: /"code":"database_unavailable"/,
  leavesOut: 4_000,
  start: startHaproxy,
};

/** Those that are installed. */
export const PROXIES = [nginx, caddy, haproxy]
  .filter(({ program }) => !isProgramMissing(program))
  .map((proxy) => [proxy.program, proxy] as const);
