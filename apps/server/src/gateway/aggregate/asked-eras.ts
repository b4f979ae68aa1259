import { LRUCache } from 'lru-cache';
import type { ReadyCredential } from '../../credentials/outcome.ts';
import { subjectIdOf } from '../../identity/caller.ts';
import { createMcpClient } from '../../mcp/client/client.ts';
import { findEras } from '../../mcp/client/find-eras.ts';
import type { Era } from '../../mcp/era.ts';
import { isNews, type SpokenEras } from '../../mcp/spoken-eras.ts';
import { readmitTo } from '../admission.ts';
import type { Route } from '../routes.ts';
import type { AggregateAttachment } from './applications.ts';
import type { InSession } from './client-call.ts';
import type { UpstreamCallDeps } from './upstream-calls.ts';
import { eraFor } from './upstream-side.ts';

type EraClient = Pick<InSession, 'call' | 'caller'>;

const MAX_KEPT = 10_000;

/** Milliseconds for which an answer counts, or for which one that leaves the eras open is not asked for again. */
const KEPT = 10 * 60_000;

/** Milliseconds between two questions at least: a server may refuse each call. */
const PAUSE = 1_000;

/** What an integration said, and what was known before. */
interface Found {
  readonly eras: SpokenEras;
  readonly before: SpokenEras;
}

/** The eras of integrations that were asked: because they refused the era that was known, or because nothing was known. */
export class AskedEras {
  readonly #deps: UpstreamCallDeps;
  readonly #found = new LRUCache<string, Found>({ max: MAX_KEPT, ttl: KEPT });
  readonly #recent = new LRUCache<string, true>({ max: MAX_KEPT, ttl: PAUSE });
  readonly #asking = new Map<string, Promise<void>>();

  constructor(deps: UpstreamCallDeps) {
    this.#deps = deps;
  }

  /** Without asking. @param credential undefined where it is not in memory */
  spokenBy(route: Route, credential: ReadyCredential | undefined): SpokenEras {
    if (this.#found.size === 0 || credential === undefined) return route.spokenEras;
    return { ...route.spokenEras, ...this.#foundFor(route, credential) };
  }

  /** Undefined if what is written of the integration has changed since, as a validation changes it. */
  #foundFor(route: Route, credential: ReadyCredential): SpokenEras | undefined {
    const found = this.#found.get(keyOf(route, credential));
    return found && (isNews(route.spokenEras, found.before) ? undefined : found.eras);
  }

  /** Asks the integration once if a modern client needs it and it has not shown whether it speaks that era. */
  async findFor(client: EraClient, route: Route, credential: ReadyCredential): Promise<SpokenEras> {
    if (this.#mustAsk(client, route, credential)) await this.#askOnce(client, route, credential);
    return this.spokenBy(route, credential);
  }

  /** Like `findFor`, with the client's credential. Synchronous unless the integration must be asked. */
  spokenTo(client: EraClient, route: Route): SpokenEras | Promise<SpokenEras> {
    const found = this.#deps.routeDeps.credentials.peek(route.target, subjectIdOf(client.caller));
    const credential = found?.kind === 'ready' ? found : undefined;
    if (!this.#mustAsk(client, route, credential)) return this.spokenBy(route, credential);
    return this.#accessTo(client, route).then((access) =>
      access === undefined
        ? route.spokenEras
        : this.findFor(client, access.route, access.credential),
    );
  }

  /** Asks an integration that has refused this era. @returns whether it speaks only the other one */
  async isOtherNow(
    client: EraClient,
    attachment: Pick<AggregateAttachment, 'key'>,
    refused: Era,
  ): Promise<boolean> {
    const access = await this.#accessTo(client, attachment);
    if (access === undefined) return false;
    const { route, credential } = access;
    if (!this.#recent.has(keyOf(route, credential))) await this.#askOnce(client, route, credential);
    return eraFor(this.spokenBy(route, credential), refused) !== refused;
  }

  /** A server that speaks the legacy era is not asked for a legacy client: it is assumed to, until it refuses. */
  #mustAsk({ call }: EraClient, route: Route, credential: ReadyCredential | undefined): boolean {
    if (call.era === 'legacy' || route.spokenEras.modern !== undefined) return false;
    return credential === undefined || this.#foundFor(route, credential) === undefined;
  }

  /** Undefined for one that may not be used any more, or without a credential: the call itself says so. */
  async #accessTo(
    { caller }: EraClient,
    { key }: Pick<AggregateAttachment, 'key'>,
  ): Promise<{ readonly route: Route; readonly credential: ReadyCredential } | undefined> {
    const access = await readmitTo(this.#deps.routeDeps, caller, key).catch(() => undefined);
    if (access?.credential.kind !== 'ready') return undefined;
    return { route: access.route, credential: access.credential };
  }

  async #askOnce(client: EraClient, route: Route, credential: ReadyCredential): Promise<void> {
    const key = keyOf(route, credential);
    const asking = this.#asking.get(key) ?? this.#ask(client, route, credential);
    this.#asking.set(key, asking);
    await asking.finally(() => this.#asking.delete(key));
  }

  async #ask({ caller }: EraClient, route: Route, credential: ReadyCredential): Promise<void> {
    const { egress, limits, eraNotes } = this.#deps.relayDeps;
    const { target, spokenEras } = route;
    const userId = subjectIdOf(caller);
    const sender = { organizationId: route.organizationId, userId, credential: credential.headers };
    const client = createMcpClient(egress, target.url, sender, () => undefined);
    const found = await findEras(client, AbortSignal.timeout(limits.eraProbe));
    const key = keyOf(route, credential);
    this.#recent.set(key, true);
    const eras = { ...this.#foundFor(route, credential), ...found };
    this.#found.set(key, { eras, before: spokenEras });
    eraNotes.note({ ...target, spokenEras }, found);
  }
}

function keyOf(
  { integrationId, target }: Pick<Route, 'integrationId' | 'target'>,
  { source, connectionId = '' }: ReadyCredential,
): string {
  return `${integrationId} ${target.url} ${source} ${connectionId}`;
}
