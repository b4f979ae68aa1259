import { type buildConnector, Client } from 'undici';

/** Options of {@link createClient}. */
export interface ClientOptions {
  readonly connect: buildConnector.connector;
  /** Milliseconds that a connection may be idle, unless the upstream says that it closes it sooner. */
  readonly restFor: number;
  /** The upstream closed a connection that had been idle for this many milliseconds. */
  readonly onClosedAtRest: (restedFor: number) => void;
}

/** Milliseconds by which a connection is given up before an upstream closes it by its `Keep-Alive` header. */
const AHEAD_OF_UPSTREAM = 1_000;

/** A code of undici's for a connection that has failed: its requests are not sent again. */
const ABORTED = 'UND_ERR_SOCKET';

/** One connection of a pool after the other. */
export function createClient(origin: string | URL, options: ClientOptions): Client {
  const { connect, restFor, onClosedAtRest } = options;
  let restsSince: number | undefined;
  const client: Client = new Client(origin, {
    connect: (target, callback) => {
      restsSince = undefined;
      connect(target, (...result) => {
        const [, socket] = result;
        // Before undici's own listener too.
        socket?.once('error', markAborted);
        // Before undici's own listener, which gives the connection up.
        socket?.once('end', () => {
          const isResting = client.stats.running === 0 && restsSince !== undefined;
          if (isResting) onClosedAtRest(Date.now() - (restsSince ?? 0));
        });
        callback(...result);
      });
    },
    keepAliveTimeout: restFor,
    keepAliveMaxTimeout: restFor,
    keepAliveTimeoutThreshold: AHEAD_OF_UPSTREAM,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  client.on('drain', () => {
    restsSince = Date.now();
  });
  return client;
}

/**
 * undici closes the connection of an aborted request with an error of the kind "information", after
 * which it sends the requests of that connection again: it would open another connection for the aborted
 * one, and find only then that there is nothing to send (undici 7.30, `onHttpSocketClose`).
 */
function markAborted(error: Error): void {
  const { code, message }: Error & { readonly code?: unknown } = error;
  if (code === 'UND_ERR_INFO' && message === 'aborted') Object.assign(error, { code: ABORTED });
}
