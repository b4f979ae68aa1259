import { connect, createServer } from 'node:net';
import { closeServer, listen } from '../listen.ts';
import { createLink, type Direction, type Link } from './connection.ts';
import type { Fault } from './fault.ts';

/** Options of {@link startFaultProxy}. */
export interface FaultProxyOptions {
  /** The target of the connections. The host defaults to 127.0.0.1. */
  readonly target: { readonly host?: string; readonly port: number };
  /** The first fault; default `pass`. */
  readonly fault?: Fault;
}

/** What has passed through a proxy since it started. */
export interface FaultProxyCounts {
  /** Connections accepted. */
  readonly accepted: number;
  /** Connections open now, on either side. */
  readonly open: number;
  /** Bytes written to the target. */
  readonly toTarget: number;
  /** Bytes written to clients. */
  readonly toClient: number;
}

/** A running proxy. */
export interface FaultProxy {
  readonly host: string;
  readonly port: number;
  readonly counts: FaultProxyCounts;
  /** Applies to new connections, and to open ones from their next byte on. */
  setFault(fault: Fault): void;
  /** Closes every open connection, as a restart of the target would. New ones are accepted. */
  dropConnections(): void;
  close(): Promise<void>;
}

/** Starts a TCP proxy to which a test can add faults while connections are open. */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const { target } = options;
  let fault: Fault = options.fault ?? { kind: 'pass' };
  let accepted = 0;
  const bytes: Record<Direction, number> = { toTarget: 0, toClient: 0 };
  const links = new Set<Link>();

  const dropConnections = (): void => {
    for (const link of links) link.drop();
  };

  const server = createServer({ allowHalfOpen: true }, (client) => {
    accepted += 1;
    if (fault.kind === 'reset') return void client.resetAndDestroy();
    const outbound = connect({
      host: target.host ?? '127.0.0.1',
      port: target.port,
      allowHalfOpen: true,
    });
    const link = createLink(client, outbound, {
      fault: () => fault,
      count: (direction, length) => {
        bytes[direction] += length;
      },
      closed: () => void links.delete(link),
    });
    links.add(link);
  });
  const authority = await listen(server);
  const [host = '', port = ''] = authority.split(':');
  return {
    host,
    port: Number(port),
    get counts() {
      return { accepted, open: links.size, ...bytes };
    },
    setFault(next) {
      fault = next;
      for (const link of links) link.faultChanged();
    },
    dropConnections,
    async close() {
      dropConnections();
      await closeServer(server);
    },
  };
}
