import { isOnOwnHost, OWN_HOST_DENIED } from '@gatehouse/contract';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'undici';
import { ProblemError } from '../platform/problem-error.ts';
import { type CredentialUse, checkUrl, createAddressPolicy } from './addresses.ts';
import type { AdmitAddresses, NoteStep } from './connector.ts';
import { createPool, type PoolParts } from './create-pool.ts';
import { createResolveName, type NameOptions, type ResolveName } from './names/resolve-name.ts';
import { createOwnConnections, type OwnConnections } from './own-connections.ts';
import { createPools } from './pools.ts';
import { type EgressRequest, type EgressResponse, sendRequest } from './request.ts';
import { createRestLimits } from './rest-limits.ts';
import { type Sender, senderKey } from './sender.ts';

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
   * The connection pool of an origin (`URL.origin`) and a sender. Senders never share connections: if
   * an upstream sends one response too many, HTTP/1.1 cannot tell which request it belongs to. Get the
   * pool for each request and use it in the same turn, because idle pools are closed. Connection errors
   * are `EgressError`s. Headers and bodies have no timeout.
   *
   * A sender with a credential is denied http origins outside the allowed networks.
   */
  poolFor(origin: string, sender: Sender): Pool;
  /**
   * Sends one request with a deadline and reads a response of limited size. Does not follow redirects.
   * With `admit` it opens a new connection, so that each request is admitted by the addresses that it
   * reaches.
   *
   * @throws EgressError `denied` also where `admit` refuses
   */
  request(
    url: string | URL,
    request: EgressRequest & { readonly sender: Sender; readonly admit?: AdmitAddresses },
  ): Promise<EgressResponse>;
  /**
   * Separate connections for a few requests. The caller closes them.
   *
   * @param onStep called with the progress of each new connection
   */
  openOwn(onStep: NoteStep): OwnConnections;
  /** Closes every connection immediately, except those of `openOwn`. */
  close(): Promise<void>;
}

/** Options of {@link createEgress}. */
export interface EgressOptions {
  /** Networks allowed in addition to public addresses: `GATEHOUSE_ALLOWED_NETWORKS`. */
  readonly allowedNetworks: readonly string[];
  /** The service's own URL, which nothing may be registered at: `GATEHOUSE_PUBLIC_URL`. */
  readonly publicUrl: string;
  /** Connections of each sender, default 4096: every open stream uses one. */
  readonly connectionsPerOrigin?: number;
  /** How many pools there may be, default 8192. The one not used for the longest time makes room. */
  readonly maxPools?: number;
  /** Milliseconds for name resolution, TCP and TLS together, default 8000. */
  readonly connectTimeout?: number;
  /** Milliseconds without a request after which a pool is closed, default 60,000. */
  readonly idleAfter?: number;
  /** Milliseconds after which a connection gets no more requests, default 600,000. */
  readonly maxAge?: number;
  readonly names?: NameOptions;
  /** Default: looks names up as `names` says. */
  readonly resolve?: ResolveName;
}

const MAX_TLS_SESSIONS = 4096;

/** @throws TypeError when an allowed network is neither an address nor a CIDR. */
export function createEgress(options: EgressOptions): Egress {
  const policy = createAddressPolicy(options.allowedNetworks);
  const parts: PoolParts = {
    policy,
    resolve: options.resolve ?? createResolveName(options.names),
    restLimits: createRestLimits(),
    tlsSessions: new LRUCache({ max: MAX_TLS_SESSIONS }),
    connectionsPerOrigin: options.connectionsPerOrigin ?? 4096,
    connectTimeout: options.connectTimeout ?? 8000,
  };
  const pools = createPools({
    maxPools: options.maxPools ?? 8192,
    idleAfter: options.idleAfter ?? 60_000,
    maxAge: options.maxAge ?? 600_000,
  });
  const poolFor = (origin: string, sender: Sender) => {
    const key = `${senderKey(sender)} ${origin}`;
    return (
      pools.get(key) ??
      pools.add(
        key,
        createPool(origin, sender, parts, () => pools.remove(key)),
      )
    );
  };

  const admitted = new Set<OwnConnections>();
  /** @throws EgressError */
  const requestAdmitted = async (
    url: URL,
    request: EgressRequest & { readonly sender: Sender },
    admit: AdmitAddresses,
  ) => {
    const connections = createOwnConnections({ ...parts, admit });
    admitted.add(connections);
    try {
      return await connections.request(url, request);
    } finally {
      admitted.delete(connections);
      await connections.close();
    }
  };

  return {
    checkUrl(url, carries = 'nothing') {
      checkUrl(url, carries, policy);
      if (isOnOwnHost(url, options.publicUrl)) {
        throw new ProblemError('egress_denied', OWN_HOST_DENIED);
      }
    },
    poolFor,
    async request(url, { admit, ...request }) {
      const parsed = new URL(url);
      if (admit !== undefined) return await requestAdmitted(parsed, request, admit);
      return await sendRequest(poolFor(parsed.origin, request.sender), parsed, request);
    },
    openOwn: (onStep) => createOwnConnections({ ...parts, onStep }),
    async close() {
      await Promise.all([
        pools.close(),
        ...[...admitted].map((connections) => connections.close()),
      ]);
    },
  };
}
