import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { Connection, type ConnectionLimits, connectionLimits } from './http/connection.ts';
import { attachNodeErrors } from './http/node-errors.ts';
import { OperatorError } from './platform/operator-error.ts';

/** Milliseconds of silence after which the kernel checks whether the client is still there. */
const PROBE_AFTER = 60_000;

/**
 * Milliseconds an unused connection stays open. Longer than the idle timeout of common load balancers,
 * so that they close it first: a balancer that sends a request while we close the connection
 * gives its user a 502 (Elastic Load Balancing, "Connection idle timeout": 60 s by default). Node's
 * own default was 5 s until nodejs/node#62782.
 */
const KEEP_ALIVE = 75_000;

/**
 * Milliseconds for the headers of a request. For the first request Node counts from the opening of the
 * connection, so less than {@link KEEP_ALIVE} would answer 408 on connections that balancers open in
 * advance (nodejs/node#30071). Before Node 18 it had to be longer for every request (nodejs/node#27363).
 */
const HEADERS_TIMEOUT = KEEP_ALIVE + 5_000;

/**
 * Connections at the same time. A call or stream of the gateway needs two file descriptors, its own and
 * that of its upstream.
 */
export const MAX_CONNECTIONS = 10_000;

/** Milliseconds between two looks at the pace of request bodies. */
const PACE_CHECK_INTERVAL = 5_000;

/** Milliseconds between two checks for idle connections while draining. */
const IDLE_CHECK_INTERVAL = 20;

/** The listening socket and its connections. */
export interface HttpServer {
  /** Resolves with the port. @throws OperatorError if they cannot be listened on */
  listen(port: number, host: string): Promise<number>;
  /** Connections that are open now. */
  countConnections(): number;
  /** Gives the listener requests from now on, and first those that have arrived before. */
  serve(listener: RequestListener): void;
  /**
   * Accepts no more connections, and closes each one with the next response on it. Idle ones stay open,
   * because their clients may be sending. Resolves when all are closed, or after this many
   * milliseconds.
   */
  retire(within: number): Promise<void>;
  /** Accepts no more connections and closes each one when it is idle. Resolves when all are closed. */
  drain(): Promise<void>;
  /** Destroys every connection. */
  cut(): void;
}

export interface HttpServerOptions {
  readonly limits?: Partial<ConnectionLimits>;
  /** Default 10,000. */
  readonly maxConnections?: number;
  /** Milliseconds, default 5,000. */
  readonly paceCheckInterval?: number;
  /** Called the first time that a connection is refused because there are too many. */
  readonly onFull?: () => void;
}

/** @param first without it requests wait until `serve` */
export function createHttpServer(
  first?: RequestListener,
  options: HttpServerOptions = {},
): HttpServer {
  const limits = { ...connectionLimits, ...options.limits };
  let listener = first;
  const early: [IncomingMessage, ServerResponse][] = [];
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE,
      headersTimeout: HEADERS_TIMEOUT,
      // A body may take as long as it keeps its pace, see `Connection.checkPace`.
      requestTimeout: 0,
      requireHostHeader: false,
    },
    (req, res) => {
      if (listener === undefined) early.push([req, res]);
      else connections.get(req.socket)?.receive(req, res, listener);
    },
  );
  attachNodeErrors(server);
  server.maxConnections = options.maxConnections ?? MAX_CONNECTIONS;
  if (options.onFull !== undefined) server.once('drop', options.onFull);
  const connections = new Map<Socket, Connection>();
  let isRetiring = false;
  let closed: Promise<void> | undefined;
  const pace = setInterval(() => {
    const now = performance.now();
    for (const connection of connections.values()) connection.checkPace(server, now);
  }, options.paceCheckInterval ?? PACE_CHECK_INTERVAL);
  pace.unref();
  server.once('close', () => clearInterval(pace));
  server.on('connection', (socket) => {
    // Not with the server option `keepAliveInitialDelay`: it doubles the CPU of 1 MiB responses.
    socket.setKeepAlive(true, PROBE_AFTER);
    const connection = new Connection(socket, limits);
    connections.set(socket, connection);
    if (isRetiring) connection.retire();
    socket.once('close', () => connections.delete(socket));
  });
  const closeIdle = (): void => {
    for (const [socket, { isIdle }] of connections) if (isIdle) socket.destroy();
  };
  const stopListening = (): Promise<void> => {
    closed ??= new Promise((resolve) => {
      // node:http's own close also destroys connections before their last response is fully sent.
      NetServer.prototype.close.call(server, () => resolve());
    });
    return closed;
  };

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        const fail = (cause: Error): void =>
          reject(
            new OperatorError(
              `${cause.message}. Choose another GATEHOUSE_PORT or GATEHOUSE_HOST.`,
              {
                cause,
              },
            ),
          );
        server.once('error', fail);
        server.listen(port, host, () => {
          server.off('error', fail);
          resolve((server.address() as AddressInfo).port);
        });
      }),
    countConnections: () => connections.size,
    serve(next) {
      listener = next;
      for (const [req, res] of early.splice(0)) {
        connections.get(req.socket)?.receive(req, res, next);
      }
    },
    async retire(within) {
      isRetiring = true;
      for (const connection of connections.values()) connection.retire();
      // Closing resets connections that wait to be accepted: this comes right after all of them were.
      await nextTurn();
      const over = new AbortController();
      const { signal } = over;
      const limit = delay(within, undefined, { signal }).catch(() => undefined);
      await Promise.race([stopListening(), limit]);
      over.abort();
    },
    async drain() {
      const ended = stopListening();
      const timer = setInterval(closeIdle, IDLE_CHECK_INTERVAL);
      closeIdle();
      await ended;
      clearInterval(timer);
    },
    cut() {
      for (const socket of connections.keys()) socket.destroy();
    },
  };
}
