import { LRUCache } from 'lru-cache';
import type { Route } from '../../routes.ts';

type Server = Pick<Route, 'integrationId' | 'target'>;

const MAX_KEPT = 10_000;

/** Milliseconds until a GET stream is asked for again. */
const KEPT = 60 * 60_000;

/** Integrations that have refused this node a GET stream (2025-11-25 transports, "Listening for Messages from the Server"). */
export class StreamlessServers {
  readonly #refused = new LRUCache<string, true>({ max: MAX_KEPT, ttl: KEPT });

  note(server: Server): void {
    this.#refused.set(keyOf(server), true);
  }

  has(server: Server): boolean {
    return this.#refused.has(keyOf(server));
  }
}

/** Another URL is another server. */
function keyOf({ integrationId, target }: Server): string {
  return `${integrationId} ${target.url}`;
}
