import { Pool } from 'undici';
import { createAddressPolicy } from './addresses.ts';
import { type Carrying, checkUrl } from './check-url.ts';
import { type ConnectorOptions, createConnector, type ResolveAll } from './connector.ts';
import { createPools, type Pools } from './pools.ts';
import { type EgressRequest, type EgressResponse, sendRequest } from './request.ts';

/** The only way out of the service. */
export interface Egress {
  /**
   * Refuses literal addresses and localhost names outside the policy, before anything is dialled.
   *
   * @param carrying default `nothing`.
   * @throws ProblemError `egress_denied`.
   */
  checkUrl(url: string | URL, carrying?: Carrying): void;
  /**
   * The connection pool of an origin (`URL.origin`). Take it per call and use it in the same turn:
   * idle pools are closed. Its dial errors are `EgressError`s. Headers and bodies have no timeout.
   *
   * @param carrying default `credentials`: an http origin is then dialled only inside the allowed
   *   networks. `nothing` is for calls that carry no credential.
   * @throws EgressError `unreachable` when too many origins are in use.
   */
  poolFor(origin: string, carrying?: Carrying): Pool;
  /**
   * One bounded exchange, redirects not followed.
   *
   * @throws EgressError
   */
  request(
    url: string | URL,
    request: EgressRequest & { readonly carrying: Carrying },
  ): Promise<EgressResponse>;
  /** Cuts every connection. */
  close(): Promise<void>;
}

/** Options of {@link createEgress}. */
export interface EgressOptions {
  /** CIDRs allowed beside public addresses: `GATEHOUSE_ALLOWED_NETWORKS`. */
  readonly allowedNetworks: readonly string[];
  /** Connections per origin, default 4096: every open stream holds one. */
  readonly connectionsPerOrigin?: number;
  /** Origins with a pool at one time, default 1024. */
  readonly maxPools?: number;
  /** Milliseconds for name resolution, TCP and TLS together, default 8000. */
  readonly connectTimeout?: number;
  /** Milliseconds without a call after which a pool is closed, default 60,000. */
  readonly idleAfter?: number;
  /** Default: the system's resolver. */
  readonly resolve?: ResolveAll;
}

/** @throws TypeError when an allowed network is no address or CIDR. */
export function createEgress(options: EgressOptions): Egress {
  const policy = createAddressPolicy(options.allowedNetworks);
  const refusal: Refusal = (address) =>
    policy.isAllowed(address) ? undefined : 'address_not_allowed';
  const refusalOfPlain: Refusal = (address) =>
    refusal(address) ?? (policy.isListed(address) ? undefined : 'plain_http_with_credentials');
  const open = createPoolsFor(options, refusal);
  const plainWithCredentials = createPoolsFor(options, refusalOfPlain);
  const poolFor = (origin: string, carrying: Carrying = 'credentials') =>
    carrying === 'credentials' && origin.startsWith('http:')
      ? plainWithCredentials.get(origin)
      : open.get(origin);

  return {
    checkUrl: (url, carrying = 'nothing') => checkUrl(url, carrying, policy),
    poolFor,
    async request(url, request) {
      const parsed = new URL(url);
      return await sendRequest(poolFor(parsed.origin, request.carrying), parsed, request);
    },
    async close() {
      await Promise.all([open.close(), plainWithCredentials.close()]);
    },
  };
}

type Refusal = ConnectorOptions['refusal'];

function createPoolsFor(options: EgressOptions, refusal: Refusal): Pools {
  return createPools({
    maxPools: options.maxPools ?? 1024,
    idleAfter: options.idleAfter ?? 60_000,
    create: (origin) => createPool(origin, options, refusal),
  });
}

function createPool(origin: string, options: EgressOptions, refusal: Refusal): Pool {
  return new Pool(origin, {
    connections: options.connectionsPerOrigin ?? 4096,
    connect: createConnector({
      refusal,
      connectTimeout: options.connectTimeout ?? 8000,
      resolve: options.resolve,
    }),
    // Shorter than the 5 s after which common servers close a quiet connection without saying so
    // (uvicorn): a POST lost on a closed connection is not sent again.
    keepAliveTimeout: 4000,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
