import { LRUCache } from 'lru-cache';
import type { Pool } from 'undici';
import { createPool, type PoolParts } from './create-pool.ts';
import { type EgressRequest, type EgressResponse, sendRequest } from './request.ts';
import { type Sender, senderKey } from './sender.ts';

/** New connections that are not shared. */
export interface OwnConnections {
  /** As in `Egress`. @throws EgressError */
  request(
    url: string | URL,
    request: EgressRequest & { readonly sender: Sender },
  ): Promise<EgressResponse>;
  /** Ends every request and connection immediately. */
  close(): Promise<void>;
}

const MAX_TLS_SESSIONS = 8;

/**
 * Open connections and TLS sessions are not reused: they would hide a name that no longer resolves, or
 * a certificate that has expired since.
 */
export function createOwnConnections(parts: PoolParts): OwnConnections {
  const pools = new Map<string, Pool>();
  const own: PoolParts = { ...parts, tlsSessions: new LRUCache({ max: MAX_TLS_SESSIONS }) };
  return {
    async request(url, request) {
      const parsed = new URL(url);
      const key = `${senderKey(request.sender)} ${parsed.origin}`;
      const pool =
        pools.get(key) ?? createPool(parsed.origin, request.sender, own, () => undefined);
      pools.set(key, pool);
      return await sendRequest(pool, parsed, request);
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}
