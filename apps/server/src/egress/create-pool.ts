import type { LRUCache } from 'lru-cache';
import { type buildConnector, Client, Pool } from 'undici';
import type { AddressPolicy } from './addresses.ts';
import {
  type AdmitAddresses,
  createConnector,
  type FindDenialReason,
  type NoteStep,
} from './connector.ts';
import type { ResolveName } from './names/resolve-name.ts';
import type { RestLimits } from './rest-limits.ts';
import type { Sender } from './sender.ts';

/** The parts that all pools share. */
export interface PoolParts {
  readonly policy: AddressPolicy;
  readonly resolve: ResolveName;
  readonly restLimits: RestLimits;
  /** By organization and origin. */
  readonly tlsSessions: LRUCache<string, Buffer>;
  readonly connectionsPerOrigin: number;
  readonly connectTimeout: number;
  /** Told how far each new connection has come. */
  readonly onStep?: NoteStep;
  readonly admit?: AdmitAddresses;
}

/** @param replace called when connections to the origin must rest for a shorter time than this pool's may. */
export function createPool(
  origin: string,
  { organizationId, credential }: Sender,
  parts: PoolParts,
  replace: () => void,
): Pool {
  const { policy, resolve, restLimits, tlsSessions } = parts;
  const isPlainWithCredentials = credential.length > 0 && origin.startsWith('http:');
  const sessionKey = `${organizationId} ${origin}`;
  const connect = createConnector({
    findDenialReason: isPlainWithCredentials ? plainDenialReason(policy) : denialReason(policy),
    connectTimeout: parts.connectTimeout,
    onStep: parts.onStep,
    admit: parts.admit,
    resolve: (hostname) => resolve(hostname, organizationId),
    tlsSession: {
      get: () => tlsSessions.get(sessionKey),
      keep: (session) => void tlsSessions.set(sessionKey, session),
    },
  });
  const restFor = restLimits.of(origin);
  const onClosedAtRest = (restedFor: number) => {
    if (restLimits.noteClosed(origin, restedFor)) replace();
  };
  return new Pool(origin, {
    connections: parts.connectionsPerOrigin,
    factory: (target) => createClient(target, { connect, restFor, onClosedAtRest }),
  });
}

function denialReason(policy: AddressPolicy): FindDenialReason {
  return (address) => (policy.isAllowed(address) ? undefined : 'address_not_allowed');
}

function plainDenialReason(policy: AddressPolicy): FindDenialReason {
  const general = denialReason(policy);
  return (address) =>
    general(address) ?? (policy.isListed(address) ? undefined : 'plain_http_with_credentials');
}

/** Options of {@link createClient}. */
interface ClientOptions {
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
function createClient(origin: string | URL, options: ClientOptions): Client {
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
