import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** The address that a test server binds to. */
export interface ListenOptions {
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** Default 0, which means any free port. */
  readonly port?: number;
}

/** Binds the server and resolves with its authority, `host:port`, with IPv6 addresses in brackets. */
export async function listen(server: Server, options: ListenOptions = {}): Promise<string> {
  const { host = '127.0.0.1', port = 0 } = options;
  server.listen(port, host);
  await once(server, 'listening');
  const bound = server.address() as AddressInfo;
  return `${host.includes(':') ? `[${host}]` : host}:${bound.port}`;
}

/** Stops listening and resolves when the listening socket is closed. */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  await closed;
}
