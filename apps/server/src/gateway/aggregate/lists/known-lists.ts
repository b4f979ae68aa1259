import { LRUCache } from 'lru-cache';
import type { PageEntry } from '../../../mcp/aggregate/page-entry.ts';
import type { SplicedList } from '../../../mcp/aggregate/splice-list.ts';
import type { Route } from '../../routes.ts';
import { changedKinds } from '../../routes.ts';
import type { AggregateApplication } from '../applications.ts';

/** A list of an integration, for one person and one credential. */
export interface KnownList {
  /** As it was when the reading began. Read from the rows as they are now, or it is another object. */
  readonly route: Route;
  readonly credential: string;
  readonly entries: readonly PageEntry[];
  /** The integration has more. */
  readonly isPartial: boolean;
  /** When the reading began, by the clock of `performance`. */
  readonly begunAt: number;
  readonly readAt: number;
  readonly freshUntil: number;
  /** As it was last listed, for that state of the application. */
  spliced?: { readonly application: AggregateApplication; readonly list: SplicedList };
}

/** An integration that has not given a list, or not in time. */
export interface Trouble {
  /** As in {@link KnownList}: another address may have mended it. */
  readonly route: Route;
  readonly credential: string;
  readonly notedAt: number;
  /** When it is tried again. */
  readonly nextTryAt: number;
  readonly delay: number;
}

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_TROUBLED = 10_000;

/** Bytes that an entry takes besides its own. */
const OVERHEAD = 200;

/** Milliseconds for which a list may be served although its integration does not answer. */
const STALE = 10 * 60_000;

const FIRST_DELAY = 5_000;
const LAST_DELAY = 60_000;

/** What the lists depend on besides their routes. */
export interface KnownListsDeps {
  /** @param time by the clock of `performance` */
  readonly haveToolsChangedSince: (time: number, integrationId: string) => boolean;
}

/** Whether two states of a route give the same list, as far as this node can know: any other change only ends its freshness. */
export function isSameSource(one: Route, other: Route): boolean {
  if (one === other) return true;
  return one.target.url === other.target.url && changedKinds(one.policy, other.policy).length === 0;
}

/** The lists that integrations have given to this node, the least recently used ones dropped first. */
export class KnownLists {
  readonly #lists = new LRUCache<string, KnownList>({
    maxSize: MAX_BYTES,
    // Twice, as it is also kept as it was listed.
    sizeCalculation: ({ entries }) =>
      2 * entries.reduce((sum, { bytes }) => sum + bytes.length + OVERHEAD, OVERHEAD),
  });
  readonly #troubles = new LRUCache<string, Trouble>({ max: MAX_TROUBLED });
  readonly #deps: KnownListsDeps;

  constructor(deps: KnownListsDeps) {
    this.#deps = deps;
  }

  /** @returns undefined for a list that may not be served any more, not even if its integration does not answer */
  find(key: string, route: Route, credential: string): KnownList | undefined {
    const known = this.#lists.get(key);
    if (known === undefined || known.credential !== credential) return;
    if (!isSameSource(known.route, route)) return;
    const hasOldRules =
      route.policy?.hasDefinitionRules === true &&
      this.#deps.haveToolsChangedSince(known.begunAt, route.integrationId);
    return !hasOldRules && performance.now() - known.readAt < STALE ? known : undefined;
  }

  /** @returns whether the list was missed */
  keep(key: string, known: KnownList): boolean {
    this.#lists.set(key, known);
    return this.#troubles.delete(key);
  }

  troubleOf(key: string, route: Route, credential: string): Trouble | undefined {
    const trouble = this.#troubles.get(key);
    if (trouble === undefined || trouble.credential !== credential) return undefined;
    const isMended = this.#deps.haveToolsChangedSince(trouble.notedAt, route.integrationId);
    return !isMended && isSameSource(trouble.route, route) ? trouble : undefined;
  }

  /** It has failed, or is late: it is tried again after 5, 10, 20 … 60 seconds. */
  noteTrouble(key: string, route: Route, credential: string): void {
    const before = this.troubleOf(key, route, credential)?.delay;
    const delay = before === undefined ? FIRST_DELAY : Math.min(2 * before, LAST_DELAY);
    const notedAt = performance.now();
    this.#troubles.set(key, { route, credential, delay, notedAt, nextTryAt: notedAt + delay });
  }
}
