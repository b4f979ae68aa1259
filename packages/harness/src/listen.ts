import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Binds the server to a free port of 127.0.0.1 and resolves with its authority, `127.0.0.1:<port>`. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Stops listening and resolves when the listening socket is closed. */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  await closed;
}
