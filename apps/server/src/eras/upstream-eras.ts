import { LRUCache } from 'lru-cache';
import type { Egress } from '../egress/egress.ts';
import type { HeaderPairs } from '../egress/sender.ts';
import { createMcpClient } from '../mcp/client/client.ts';
import { findEras } from '../mcp/client/find-eras.ts';
import { GreetingReader, greetingIn, type PassingRequest } from '../mcp/client/greeting.ts';
import type { Era } from '../mcp/era.ts';
import { isNews, type SpokenEras } from '../mcp/spoken-eras.ts';
import type { Store } from '../platform/database/store.ts';
import { createEraWriter } from './write-eras.ts';

/** The server of an integration. */
export interface Upstream {
  readonly organizationId: string;
  readonly integrationId: string;
  readonly target: { readonly url: string };
  /** As they are stored with the integration. */
  readonly spokenEras: SpokenEras;
}

/** A credential that a server is asked with: it may answer others differently. */
interface Credential {
  readonly source: string;
  readonly connectionId: string | undefined;
  readonly headers: HeaderPairs;
}

/** A person who is let in by a server, and so can ask it. */
export interface Asker {
  readonly userId: string;
  readonly credential: Credential;
}

export interface UpstreamErasOptions {
  readonly store: Store;
  readonly egress: Pick<Egress, 'request'>;
  /** Milliseconds for asking a server. */
  readonly askWithin?: number;
  /** Eras could not be written now, or were lost. */
  readonly onError: (error: unknown) => void;
}

/** What a server said when it was asked. */
interface Said {
  readonly eras: SpokenEras;
  /** What was stored before. */
  readonly before: SpokenEras;
  /** By the clock of `performance`. */
  readonly at: number;
}

const MAX_KEPT = 10_000;

/** Milliseconds for which an answer to a credential counts, also one that leaves the eras open. */
const COUNTS_FOR = 10 * 60_000;

/** Milliseconds for which an answer without a credential counts. */
const COUNTS_FOR_NOBODY = 5 * 60_000;

/** Minimum milliseconds between two questions to one server, which may refuse each call. */
const PAUSE = 1_000;

/** Servers asked without a credential at the same time. */
const MAX_ASKED_BY_NOBODY = 16;

/** What is known of the eras that the servers of integrations speak. */
export class UpstreamEras {
  readonly #options: UpstreamErasOptions;
  readonly #writer: ReturnType<typeof createEraWriter>;
  readonly #said = new LRUCache<string, Said>({ max: MAX_KEPT });
  readonly #asking = new Map<string, Promise<void>>();
  #askedByNobody = 0;

  constructor(options: UpstreamErasOptions) {
    this.#options = options;
    this.#writer = createEraWriter(options.store, options.onError);
  }

  /** What is stored, and what the server said to this credential, or to nobody. */
  known(upstream: Upstream, credential?: Credential): SpokenEras {
    const { spokenEras } = upstream;
    const said = this.#said.size === 0 ? undefined : this.#saidBy(upstream, credential);
    return said === undefined ? spokenEras : { ...spokenEras, ...said };
  }

  /**
   * What is known. Asks the server first if that leaves an era open that is needed, and it has not been asked lately. Never
   * rejects.
   */
  find(
    upstream: Upstream,
    asker: Asker | undefined,
    needed: readonly Era[],
  ): SpokenEras | Promise<SpokenEras> {
    const known = this.known(upstream, asker?.credential);
    const isKnown = needed.every((era) => known[era] !== undefined);
    if (isKnown || this.#saidBy(upstream, asker?.credential) !== undefined) return known;
    return this.ask(upstream, asker);
  }

  /** Asks a server for its eras: once for all who ask at the same time, and not again at once. */
  async ask(upstream: Upstream, asker: Asker | undefined): Promise<SpokenEras> {
    const key = keyOf(upstream, asker?.credential);
    const last = this.#said.get(key);
    if (last === undefined || performance.now() - last.at >= PAUSE) {
      await this.#askOnce(key, upstream, asker);
    }
    return this.known(upstream, asker?.credential);
  }

  /**
   * A reader of the answer to a greeting, which notes the eras that it shows; undefined for any other request, and where the
   * answer would show nothing new.
   *
   * @param isReadAgain also if all is known, because the lists that a server has declared last count
   */
  learn(
    upstream: Upstream,
    request: PassingRequest,
    isReadAgain: boolean,
  ): GreetingReader | undefined {
    const { spokenEras } = upstream;
    const isWanted = isReadAgain || spokenEras.listChanged === undefined;
    const greeting = greetingIn(request, (era) => isWanted || typeof spokenEras[era] !== 'string');
    return greeting && new GreetingReader(greeting, (shown) => this.note(upstream, shown));
  }

  /** Stores, behind, what a server has shown; costs nothing if that is known. */
  note({ integrationId, target, spokenEras }: Upstream, spoken: SpokenEras): void {
    if (isNews(spoken, spokenEras)) this.#add(integrationId, target.url, spoken);
  }

  /** Stores it before it resolves, whatever was known before; what cannot be written now is written behind. */
  write(
    { integrationId, url }: { readonly integrationId: string; readonly url: string },
    spoken: SpokenEras,
  ): Promise<void> {
    this.#add(integrationId, url, spoken);
    return this.#writer.flush().catch(this.#options.onError);
  }

  /** Writes what waits. @throws when that fails; it waits for the next write. */
  flush(): Promise<void> {
    return this.#writer.flush();
  }

  /** Writes what waits and stops. @throws when that fails. */
  close(): Promise<void> {
    return this.#writer.close();
  }

  #add(integrationId: string, url: string, spoken: SpokenEras): void {
    this.#writer.add(`${integrationId} ${url}`, { integrationId, url, spoken });
  }

  /** Undefined if what is stored has changed since, as a validation changes it. */
  #saidBy(upstream: Upstream, credential: Credential | undefined): SpokenEras | undefined {
    const said = this.#said.get(keyOf(upstream, credential));
    return said === undefined || isNews(upstream.spokenEras, said.before) ? undefined : said.eras;
  }

  async #askOnce(key: string, upstream: Upstream, asker: Asker | undefined): Promise<void> {
    let asking = this.#asking.get(key);
    if (asking === undefined) {
      // Further calls do not wait for an answer.
      if (asker === undefined && this.#askedByNobody >= MAX_ASKED_BY_NOBODY) return;
      asking = this.#askNow(key, upstream, asker).finally(() => this.#asking.delete(key));
      this.#asking.set(key, asking);
    }
    await asking;
  }

  async #askNow(key: string, upstream: Upstream, asker: Asker | undefined): Promise<void> {
    const { egress, askWithin = 2_000 } = this.#options;
    const { organizationId, integrationId, target, spokenEras } = upstream;
    const userId = asker?.userId ?? integrationId;
    const sender = { organizationId, userId, credential: asker?.credential.headers ?? [] };
    const client = createMcpClient(egress, target.url, sender, () => undefined);
    if (asker === undefined) this.#askedByNobody += 1;
    try {
      const found = await findEras(client, AbortSignal.timeout(askWithin));
      const eras = { ...this.#saidBy(upstream, asker?.credential), ...found };
      const ttl = asker === undefined ? COUNTS_FOR_NOBODY : COUNTS_FOR;
      this.#said.set(key, { eras, before: spokenEras, at: performance.now() }, { ttl });
      this.note(upstream, found);
    } finally {
      if (asker === undefined) this.#askedByNobody -= 1;
    }
  }
}

function keyOf({ integrationId, target }: Upstream, credential: Credential | undefined): string {
  const { source = 'nobody', connectionId = '' } = credential ?? {};
  return `${integrationId} ${target.url} ${source} ${connectionId}`;
}
