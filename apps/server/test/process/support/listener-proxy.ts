import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy to PostgreSQL that knows which connections listen for notifications. */
export interface ListenerProxy {
  readonly port: number;
  /** Listening connections stay open and fall silent; new ones do as soon as they begin to listen. */
  blackHole(): void;
  /** Gives the silent ones up and lets new ones through. */
  restore(): void;
  /** How many connections have begun to listen. */
  readonly listened: number;
  close(): Promise<void>;
}

interface Connection {
  readonly sockets: readonly [client: Socket, target: Socket];
  isListening: boolean;
}

/** Every connection of a node passes here; only the one with LISTEN can be silenced. */
export async function startListenerProxy(target: {
  readonly host: string;
  readonly port: number;
}): Promise<ListenerProxy> {
  const connections = new Set<Connection>();
  let isSilent = false;
  let listened = 0;

  const server = createServer((client) => {
    const outbound = connect(target);
    const connection: Connection = { sockets: [client, outbound], isListening: false };
    connections.add(connection);
    const isDropped = () => isSilent && connection.isListening;
    client.on('data', (bytes) => {
      if (!connection.isListening && bytes.includes('LISTEN "')) {
        connection.isListening = true;
        listened += 1;
      }
      if (!isDropped()) outbound.write(bytes);
    });
    outbound.on('data', (bytes) => {
      if (!isDropped()) client.write(bytes);
    });
    const sides = [
      [client, outbound],
      [outbound, client],
    ] as const;
    for (const [socket, other] of sides) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        connections.delete(connection);
        if (!isDropped()) other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const drop = (which: (connection: Connection) => boolean): void => {
    for (const connection of connections) {
      if (which(connection)) for (const socket of connection.sockets) socket.destroy();
    }
  };
  return {
    port: (server.address() as AddressInfo).port,
    blackHole() {
      isSilent = true;
    },
    restore() {
      isSilent = false;
      drop(({ isListening }) => isListening);
    },
    get listened() {
      return listened;
    },
    async close() {
      drop(() => true);
      server.close();
    },
  };
}
