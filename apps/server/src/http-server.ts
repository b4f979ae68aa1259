import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { attachNodeErrors } from './http/node-errors.ts';

/** Silence in milliseconds after which the kernel asks whether a client still exists. */
const PROBE_AFTER = 60_000;

/**
 * Milliseconds an unused connection stays open. Longer than the idle timeout of usual load balancers,
 * so that they close it and not we: a balancer that sends a request while we close the connection
 * gives its user a 502 (Elastic Load Balancing, "Connection idle timeout": 60 s by default). Node's
 * own default was 5 s until nodejs/node#62782.
 */
const KEEP_ALIVE = 75_000;

/**
 * Milliseconds for a request's head. Node counts a connection's first one from its opening, so less
 * than {@link KEEP_ALIVE} would answer 408 to connections that balancers open in advance
 * (nodejs/node#30071); before Node 18 it had to be the longer one for every request (nodejs/node#27363).
 */
const HEADERS_WITHIN = KEEP_ALIVE + 5_000;

/** Milliseconds between two looks for connections that have fallen idle. */
const LOOK_EVERY = 20;

/** The listening socket and its connections. */
export interface HttpServer {
  /** Resolves with the port. @throws ListenError */
  listen(port: number, host: string): Promise<number>;
  /** Requests go to this listener from now on. */
  serve(listener: RequestListener): void;
  /** Takes no connection any more and closes each as it falls idle; resolves when none is left. */
  drain(): Promise<void>;
  /** Breaks off every connection. */
  cut(): void;
}

/** Host and port of the configuration cannot be listened on. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

export function createHttpServer(listener: RequestListener): HttpServer {
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE,
      headersTimeout: HEADERS_WITHIN,
      requireHostHeader: false,
    },
    listener,
  );
  attachNodeErrors(server);
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    // Not by the server's option `keepAliveInitialDelay`: with it responses of 1 MiB cost twice the CPU.
    socket.setKeepAlive(true, PROBE_AFTER);
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const closeIdle = (): void => {
    for (const socket of connections) if (isIdle(socket)) socket.destroy();
  };

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        const fail = (cause: Error): void =>
          reject(
            new ListenError(`${cause.message}. Choose another GATEHOUSE_PORT or GATEHOUSE_HOST.`, {
              cause,
            }),
          );
        server.once('error', fail);
        server.listen(port, host, () => {
          server.off('error', fail);
          resolve((server.address() as AddressInfo).port);
        });
      }),
    serve(next) {
      server.removeAllListeners('request');
      server.on('request', next);
    },
    async drain() {
      const timer = setInterval(closeIdle, LOOK_EVERY);
      // That of node:http also destroys connections whose last response is not yet sent whole.
      await new Promise<void>((resolve) => {
        NetServer.prototype.close.call(server, () => resolve());
        closeIdle();
      });
      clearInterval(timer);
    },
    cut() {
      for (const socket of connections) socket.destroy();
    },
  };
}

/** Node sets the timeout once a response has left whole, and takes it away with the next request. */
function isIdle({ timeout, bytesRead }: Socket): boolean {
  return bytesRead === 0 || (timeout !== undefined && timeout > 0);
}
