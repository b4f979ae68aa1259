import type { LRUCache } from 'lru-cache';
import { Pool } from 'undici';
import type { AddressPolicy } from './addresses.ts';
import { createClient } from './client.ts';
import {
  type AdmitAddresses,
  createConnector,
  type FindDenialReason,
  type NoteStep,
} from './connector.ts';
import type { ResolveName } from './names/resolve-name.ts';
import type { RestLimits } from './rest-limits.ts';
import type { Sender } from './sender.ts';

/** What all pools are made with. */
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
