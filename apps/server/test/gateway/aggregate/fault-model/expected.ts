import type { Fault, FaultyUpstream } from './upstream.ts';
import { mayStillHang, toolsOf } from './upstream.ts';

/** How an integration may be shown in a list: its state, and the names of its tools. */
export interface Shown {
  readonly state: string;
  readonly names: readonly string[];
}

/** What the gateway has of the list of one upstream, for one person and one era. */
interface Known {
  names?: readonly string[];
  readAt: number;
  /** Something has changed since, or it was not read: it is read again. */
  isStale: boolean;
  /** It was late or has failed: it is tried in the background, the model does not say when. */
  isTroubled: boolean;
}

/** Milliseconds for which a list is certainly fresh, of 30 s. */
const CERTAINLY_FRESH = 25_000;

const ANSWERING: ReadonlySet<Fault> = new Set(['healthy']);
const LATE: ReadonlySet<Fault> = new Set(['hangs', 'slow pages']);

const CODES: Readonly<Partial<Record<Fault, string>>> = {
  hangs: 'upstream_timeout',
  refuses: 'upstream_unreachable',
  cut: 'upstream_unreachable',
  status: 'upstream_status',
  invalid: 'upstream_invalid',
};

/** The `data.code` of a call; undefined for a result. */
export const codeOf = ({ fault }: FaultyUpstream): string | undefined => CODES[fault];

/** What lists may show, by what has been listed and what has happened. */
export class ExpectedLists {
  readonly #known = new Map<string, Known>();
  /** By person and upstream: one that was late is not waited for in another era either. */
  readonly #late = new Set<string>();
  /** Upstreams of which the eras have changed: what is fresh, and by which era, is left open. */
  readonly #changedEras = new Set<string>();

  /** A change of the application: all lists are read again. */
  expire(): void {
    for (const known of this.#known.values()) known.isStale = true;
  }

  noteEraChange({ alias }: FaultyUpstream): void {
    this.#changedEras.add(alias);
  }

  /** What a list may show, the first being the usual one. */
  allowed(upstream: FaultyUpstream, person: number, era: string): readonly Shown[] {
    const { alias, fault } = upstream;
    const known = this.#knownOf(alias, person, era);
    const age = performance.now() - known.readAt;
    const now: Shown = { state: 'ok', names: toolsOf(upstream) };
    const last = known.names && { state: 'ok', names: known.names };
    const missed: readonly Shown[] =
      known.names === undefined
        ? ['late', 'failed'].map((state) => ({ state, names: [] }))
        : [{ state: 'stale', names: known.names }];
    const answers = ANSWERING.has(fault) ? [now] : [];
    if (this.#changedEras.has(alias)) {
      const any = [...this.#known].flatMap(([key, { names }]) =>
        names !== undefined && key.startsWith(`${alias} `) ? [names] : [],
      );
      const old = any.flatMap((names) => ['ok', 'stale'].map((state) => ({ state, names })));
      const gone = ['late', 'failed'].map((state) => ({ state, names: [] }));
      return [...answers, ...old, ...gone];
    }
    if (!known.isStale && last !== undefined && age < CERTAINLY_FRESH) return [last];
    const isLate = this.#late.has(`${alias} ${person}`) || mayStillHang(upstream, era);
    const isTroubled = known.isTroubled || isLate;
    const maybeFresh = known.isStale || last === undefined ? [] : [last];
    // What comes late is listed from then on, and is stale after a change.
    const late = LATE.has(fault) ? [now, { state: 'stale', names: now.names }] : [];
    if (isTroubled) return [...answers, ...missed, ...maybeFresh, ...late];
    if (answers.length > 0) return [now, ...maybeFresh];
    const state = LATE.has(fault) ? 'late' : 'failed';
    const fails = known.names === undefined ? [{ state, names: [] }] : missed;
    return [...fails, ...maybeFresh];
  }

  /** What has been shown is what is known from now on. */
  note({ alias, fault }: FaultyUpstream, person: number, era: string, shown: Shown): void {
    const known = this.#knownOf(alias, person, era);
    if (shown.state !== 'ok') {
      known.isTroubled = true;
      if (LATE.has(fault)) this.#late.add(`${alias} ${person}`);
      return;
    }
    const isRead = known.isStale || known.names?.join() !== shown.names.join();
    if (isRead) known.readAt = performance.now();
    known.names = shown.names;
    known.isStale = false;
    known.isTroubled = false;
  }

  #knownOf(alias: string, person: number, era: string): Known {
    const key = `${alias} ${person} ${era}`;
    const known = this.#known.get(key) ?? { readAt: 0, isStale: true, isTroubled: false };
    this.#known.set(key, known);
    return known;
  }
}
