import { LRUCache } from 'lru-cache';
import type { ReadyCredential } from '../../credentials/outcome.ts';
import { subjectIdOf } from '../../identity/caller.ts';
import { createMcpClient } from '../../mcp/client/client.ts';
import { findEras } from '../../mcp/client/find-eras.ts';
import type { Era } from '../../mcp/era.ts';
import type { SpokenEras } from '../../mcp/spoken-eras.ts';
import { readmitTo } from '../admission.ts';
import type { Route } from '../routes.ts';
import type { AggregateAttachment } from './applications.ts';
import type { InSession } from './client-call.ts';
import type { UpstreamCallDeps } from './upstream-calls.ts';
import { eraFor } from './upstream-side.ts';

const MAX_KEPT = 10_000;

/** Milliseconds for which an answer counts. */
const KEPT = 10 * 60_000;

/** Milliseconds between two questions at least: a server may refuse each call. */
const PAUSE = 1_000;

/** Which eras integrations speak by what they said when they were asked again, because they refused the era that was known. */
export class AskedEras {
  readonly #deps: UpstreamCallDeps;
  readonly #found = new LRUCache<string, SpokenEras>({ max: MAX_KEPT, ttl: KEPT });
  readonly #recent = new LRUCache<string, true>({ max: MAX_KEPT, ttl: PAUSE });
  readonly #asking = new Map<string, Promise<void>>();

  constructor(deps: UpstreamCallDeps) {
    this.#deps = deps;
  }

  /** @param credential undefined where it is not in memory */
  spokenBy(route: Route, credential: ReadyCredential | undefined): SpokenEras {
    if (this.#found.size === 0 || credential === undefined) return route.spokenEras;
    const found = this.#found.get(keyOf(route, credential));
    return found === undefined ? route.spokenEras : { ...route.spokenEras, ...found };
  }

  /** The same by what is in memory of the client's credential. */
  spokenTo({ caller }: Pick<InSession, 'caller'>, route: Route): SpokenEras {
    if (this.#found.size === 0) return route.spokenEras;
    const found = this.#deps.routeDeps.credentials.peek(route.target, subjectIdOf(caller));
    return this.spokenBy(route, found?.kind === 'ready' ? found : undefined);
  }

  /** Asks an integration that has refused this era. @returns whether it speaks only the other one */
  async isOtherNow(
    client: Pick<InSession, 'caller'>,
    attachment: AggregateAttachment,
    refused: Era,
  ): Promise<boolean> {
    const { routeDeps } = this.#deps;
    // One that may not be used any more says so by the call itself.
    const access = await readmitTo(routeDeps, client.caller, attachment.key).catch(() => undefined);
    if (access?.credential.kind !== 'ready') return false;
    const { route, credential } = access;
    const key = keyOf(route, credential);
    if (!this.#recent.has(key)) {
      const asking = this.#asking.get(key) ?? this.#ask(client, route, credential);
      this.#asking.set(key, asking);
      await asking.finally(() => this.#asking.delete(key));
    }
    return eraFor(this.spokenBy(route, credential), refused) !== refused;
  }

  async #ask(
    { caller }: Pick<InSession, 'caller'>,
    route: Route,
    credential: ReadyCredential,
  ): Promise<void> {
    const { egress, limits, eraNotes } = this.#deps.relayDeps;
    const { target, spokenEras } = route;
    const userId = subjectIdOf(caller);
    const sender = { organizationId: route.organizationId, userId, credential: credential.headers };
    const client = createMcpClient(egress, target.url, sender, () => undefined);
    const found = await findEras(client, AbortSignal.timeout(limits.eraProbe));
    const key = keyOf(route, credential);
    this.#recent.set(key, true);
    if (Object.keys(found).length === 0) return;
    this.#found.set(key, found);
    eraNotes.note({ ...target, spokenEras }, found);
  }
}

function keyOf(
  { integrationId, target }: Pick<Route, 'integrationId' | 'target'>,
  { source, connectionId = '' }: ReadyCredential,
): string {
  return `${integrationId} ${target.url} ${source} ${connectionId}`;
}
