import { isOnOwnHost, OWN_HOST_DENIED } from '@gatehouse/contract';
import { Pool } from 'undici';
import { ProblemError } from '../platform/problem-error.ts';
import { createAddressPolicy } from './addresses.ts';
import { type CredentialUse, checkUrl } from './check-url.ts';
import { createConnector, type FindDenialReason, type ResolveAll } from './connector.ts';
import { createPools, type Pools } from './pools.ts';
import { type EgressRequest, type EgressResponse, sendRequest } from './request.ts';

/** Makes every outgoing connection of the service. */
export interface Egress {
  /**
   * Denies the service's own host, and literal addresses and localhost names that the policy does not
   * allow. Connects to nothing.
   *
   * @param carries default `nothing`.
   * @throws ProblemError `egress_denied`.
   */
  checkUrl(url: string | URL, carries?: CredentialUse): void;
  /**
   * The connection pool of an origin (`URL.origin`). Get it for each request and use it in the same
   * turn, because idle pools are closed. Connection errors are `EgressError`s. Headers and bodies
   * have no timeout.
   *
   * @param carries default `credentials`, which denies http origins outside the allowed networks.
   * @throws EgressError `unreachable` when too many origins are in use.
   */
  poolFor(origin: string, carries?: CredentialUse): Pool;
  /**
   * Sends one request with a deadline and reads a response of limited size. Does not follow redirects.
   *
   * @throws EgressError
   */
  request(
    url: string | URL,
    request: EgressRequest & { readonly carries: CredentialUse },
  ): Promise<EgressResponse>;
  /** Closes every connection immediately. */
  close(): Promise<void>;
}

/** Options of {@link createEgress}. */
export interface EgressOptions {
  /** Networks allowed in addition to public addresses: `GATEHOUSE_ALLOWED_NETWORKS`. */
  readonly allowedNetworks: readonly string[];
  /** The service's own URL, which nothing may be registered at: `GATEHOUSE_PUBLIC_URL`. */
  readonly publicUrl: string;
  /** Default 4096: every open stream uses one connection. */
  readonly connectionsPerOrigin?: number;
  /** How many origins may have a pool at the same time, default 1024. */
  readonly maxPools?: number;
  /** Milliseconds for name resolution, TCP and TLS together, default 8000. */
  readonly connectTimeout?: number;
  /** Milliseconds without a request after which a pool is closed, default 60,000. */
  readonly idleAfter?: number;
  /** Default: the system's resolver. */
  readonly resolve?: ResolveAll;
}

/** @throws TypeError when an allowed network is neither an address nor a CIDR. */
export function createEgress(options: EgressOptions): Egress {
  const policy = createAddressPolicy(options.allowedNetworks);
  const denyAddress: FindDenialReason = (address) =>
    policy.isAllowed(address) ? undefined : 'address_not_allowed';
  const denyPlainCredentials: FindDenialReason = (address) =>
    denyAddress(address) ?? (policy.isListed(address) ? undefined : 'plain_http_with_credentials');
  const pools = createPoolsFor(options, denyAddress);
  const plainCredentialPools = createPoolsFor(options, denyPlainCredentials);
  const poolFor = (origin: string, carries: CredentialUse = 'credentials') =>
    carries === 'credentials' && origin.startsWith('http:')
      ? plainCredentialPools.get(origin)
      : pools.get(origin);

  return {
    checkUrl(url, carries = 'nothing') {
      checkUrl(url, carries, policy);
      if (isOnOwnHost(url, options.publicUrl)) {
        throw new ProblemError('egress_denied', OWN_HOST_DENIED);
      }
    },
    poolFor,
    async request(url, request) {
      const parsed = new URL(url);
      return await sendRequest(poolFor(parsed.origin, request.carries), parsed, request);
    },
    async close() {
      await Promise.all([pools.close(), plainCredentialPools.close()]);
    },
  };
}

function createPoolsFor(options: EgressOptions, findDenialReason: FindDenialReason): Pools {
  return createPools({
    maxPools: options.maxPools ?? 1024,
    idleAfter: options.idleAfter ?? 60_000,
    create: (origin) => createPool(origin, options, findDenialReason),
  });
}

function createPool(
  origin: string,
  options: EgressOptions,
  findDenialReason: FindDenialReason,
): Pool {
  return new Pool(origin, {
    connections: options.connectionsPerOrigin ?? 4096,
    connect: createConnector({
      findDenialReason,
      connectTimeout: options.connectTimeout ?? 8000,
      resolve: options.resolve,
    }),
    // Common servers (uvicorn) close an idle connection after 5 s without notice, and a POST that is
    // lost on a closed connection cannot be retried.
    keepAliveTimeout: 4000,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
