import { setImmediate as nextTurn } from 'node:timers/promises';
import { NIL } from '../../platform/database/index-range.ts';
import type { Store } from '../../platform/database/store.ts';
import {
  type Names,
  namesOf,
  type RecordedEvent,
  selectNames,
} from '../../platform/events/write-events.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import type { Vault } from '../../vault/vault.ts';
import type { RunHead } from '../block.ts';
import type { CallInput } from '../encode-calls.ts';
import { hashOfText } from '../hash.ts';
import type { NewAuditKey } from '../keys.ts';
import { findSigningKeyId, readSigningKey } from '../signing-keys.ts';
import type { StoredBlock } from '../stored-block.ts';
import { findHead, findLooseEvents, insertBlocks, insertCalls, lockLoose } from './block-writes.ts';
import { type BlockPart, type Chain, linkBlocks } from './link-blocks.ts';
import { type BegunCall, type BegunCalls, prepareCalls } from './prepare-calls.ts';
import {
  type CallsOfOrganization,
  type LooseEvent,
  reportLost,
  WaitingEvents,
} from './waiting-events.ts';
import { Witnesses } from './witnesses.ts';

/** Milliseconds between two writes. */
const INTERVAL = 1_000;

/** Milliseconds between two looks at what happens seldom: new keys, and events that another run has left. */
const SELDOM = 30_000;

/** Milliseconds between two heads that are shown. */
const SHOW_EVERY = 60_000;

/** Blocks in one statement. A full one holds the process for 4 ms in the embedded database. */
const BATCH = { postgresql: 8, pglite: 1 };

export interface AuditWriterOptions {
  readonly store: Store;
  readonly vault: Vault;
  /** The name of this node. */
  readonly node: string;
  /** Called once a minute with the last block, if there is a new one, and with the last one of the run. */
  readonly onHead?: (head: RunHead) => void;
  /** Called with each call that is lost, because too many wait. */
  readonly onLost?: () => void;
  /** Called when a write has failed. It is tried again. */
  readonly onError: (error: unknown) => void;
}

const NO_NAMES: Names = new Map();

interface Taken {
  readonly calls: readonly CallsOfOrganization[];
  readonly loose: readonly LooseEvent[];
}

/**
 * Writes the chain of this run: what waits becomes blocks once a second. A block is stored before the next one is made,
 * and a write with an unknown outcome is settled by what is stored.
 */
export class AuditWriter {
  readonly #options: AuditWriterOptions;
  readonly #waiting = new WaitingEvents();
  readonly #witnesses: Witnesses;
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  #chain: Chain;
  #signer: NewAuditKey | undefined;
  /** The blocks of a write that failed: they may be stored nevertheless. */
  #unsettled: { readonly chain: Chain; readonly taken: Taken } | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #shown = { number: 0, at: Number.NEGATIVE_INFINITY };
  /** Never rejects. */
  #lastWrite: Promise<void> = Promise.resolve();
  /** The one that begins when the last one has ended. */
  #next: Promise<void> | undefined;
  #isWriting = false;
  /** The last write: the next one is the timer's. */
  #hasFailed = false;
  #closing: Promise<void> | undefined;

  constructor(options: AuditWriterOptions) {
    this.#options = options;
    const { store, node } = options;
    this.#chain = { run: store.run, node, number: 0, hash: null, at: 0 };
    this.#witnesses = new Witnesses(store);
    this.#unsubscribe = store.subscribeToEvents((event) => this.#addLoose(event));
    this.#timer = setInterval(() => this.#writeSoon(), INTERVAL);
    this.#timer.unref();
  }

  /** Call events that wait to be written. */
  get waiting(): number {
    return this.#waiting.count;
  }

  /** Takes in a call that has ended. Does not wait. @param ends what {@link begin} returned for it */
  add(organizationId: string, input: CallInput, ends?: BegunCall): void {
    if (!this.#waiting.addCall(organizationId, { input, ends })) this.#options.onLost?.();
    if (this.#waiting.hasFullBlock && !this.#hasFailed) this.#writeSoon();
  }

  /**
   * Takes in calls that are about to begin. Those of the same moment share a write.
   *
   * @returns with `stored`, which resolves when they are stored, and rejects with what the database threw: they are stored later
   * @throws ProblemError `overloaded` if too many wait
   */
  begin(organizationId: string, inputs: readonly CallInput[]): BegunCalls {
    // Never some of them: a beginning without an end would be listed as if the call went on.
    if (!this.#waiting.hasRoomFor(inputs.length)) {
      throw new ProblemError('overloaded', 'The audit has no room for this call.');
    }
    const begun = inputs.map((input): BegunCall => {
      const begins = { id: undefined };
      this.#waiting.addCall(organizationId, { input, begins });
      return begins;
    });
    return { begun, stored: this.#nextWrite() };
  }

  /** Writes everything that waits now. @throws what the database threw; it waits for the next write */
  flush(): Promise<void> {
    return this.#nextWrite();
  }

  /** The write that has not begun yet, which takes everything that waits now. */
  #nextWrite(): Promise<void> {
    if (this.#next !== undefined) return this.#next;
    const flushed = this.#lastWrite.then(() => {
      this.#next = undefined;
      return this.#writeAll(false);
    });
    this.#lastWrite = flushed.catch(() => undefined);
    this.#next = flushed;
    return flushed;
  }

  /** Writes everything, and the block that ends the run. @throws what the database threw */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#lastWrite;
    await this.#writeAll(true);
    this.#unsubscribe();
  }

  #addLoose({ id, event, text }: RecordedEvent): void {
    const { organizationId } = event.actor;
    this.#waiting.addLoose({ id, organizationId, digest: hashOfText(text), run: null });
  }

  #writeSoon(): void {
    // A write that takes longer than the interval is not queued up behind.
    if (!this.#isWriting && this.#closing === undefined) this.flush().catch(this.#options.onError);
  }

  async #writeAll(ends: boolean): Promise<void> {
    this.#isWriting = true;
    this.#hasFailed = true;
    try {
      await this.#settle();
      await this.#lookAround();
      await reportLost(this.#options.store, this.#waiting);
      await this.#writeWaiting(ends);
      const isDue = ends || this.#witnesses.isDue(this.#chain, Date.now());
      if (isDue) await this.#writeSome({ calls: [], loose: [] }, [{ organizationId: null }], ends);
      this.#showHead(ends);
      this.#hasFailed = false;
    } finally {
      this.#isWriting = false;
    }
  }

  /** What comes meanwhile waits for the next write, unless it fills a block: small blocks cost more for each call. */
  async #writeWaiting(all: boolean): Promise<void> {
    const waiting = this.#waiting;
    let left = waiting.count;
    while (left > 0 || waiting.hasFullBlock || waiting.hasLoose || (all && !waiting.isEmpty)) {
      const taken = waiting.take(BATCH[this.#options.store.kind]);
      await this.#writeSome(taken, []);
      left -= taken.calls.reduce((sum, { events }) => sum + events.length, 0);
    }
  }

  #showHead(isLast: boolean): void {
    const { run, number, hash } = this.#chain;
    const now = performance.now();
    const isDue = isLast || now - this.#shown.at >= SHOW_EVERY;
    if (!isDue || number === this.#shown.number || hash === null) return;
    this.#shown = { number, at: now };
    this.#options.onHead?.({ run, number, hash });
  }

  /** Finds out if the blocks of a write that failed are stored nevertheless. */
  async #settle(): Promise<void> {
    if (this.#unsettled === undefined) return;
    const { chain, taken } = this.#unsettled;
    const head = await findHead(this.#options.store.db, chain.run);
    this.#unsettled = undefined;
    if (head?.number === chain.number) this.#chain = chain;
    else this.#waiting.putBack(taken.calls, taken.loose);
  }

  async #lookAround(): Promise<void> {
    const { store, vault } = this.#options;
    await this.#witnesses.look(Date.now());
    const now = performance.now();
    if (this.#signer !== undefined && now - this.#lookedAt < SELDOM) return;
    if (this.#signer?.key.id !== (await findSigningKeyId(store.db)) || !this.#signer) {
      this.#signer = await readSigningKey(store, vault);
    }
    for (const event of await findLooseEvents(store.db, store.run)) this.#waiting.addLoose(event);
    this.#lookedAt = now;
  }

  async #writeSome(taken: Taken, others: readonly BlockPart[], ends = false): Promise<void> {
    const { store } = this.#options;
    const signer = this.#signer as NewAuditKey;
    let chain: Chain | undefined;
    try {
      const ids = taken.calls.flatMap(namedIdsOf);
      const names = ids.length === 0 ? NO_NAMES : await readNames(store, ids);
      // One after the other: each holds the process for 3 ms.
      const calls: BlockPart[] = [];
      for (const one of taken.calls) {
        calls.push(partOf(one, names));
        await nextTurn();
      }
      const link = (loose: readonly LooseEvent[]) => {
        const parts = [...withLoose(calls, loose), ...others];
        const witnesses = this.#witnesses.unseen(this.#chain);
        const linking = { signer, witnesses, now: Date.now(), ends };
        const linked = linkBlocks(this.#chain, parts, linking);
        chain = linked.chain;
        return linked.blocks;
      };
      if (taken.loose.length === 0) await insertCalls(store, link([]));
      else await storeWithLoose(store, taken.loose, link);
    } catch (error) {
      if (chain === undefined) this.#waiting.putBack(taken.calls, taken.loose);
      else this.#unsettled = { chain, taken };
      throw error;
    }
    if (chain !== undefined) this.#chain = chain;
    this.#witnesses.wrote(Date.now());
  }
}

/** The rows of the management events are locked until their blocks are stored. */
function storeWithLoose(
  store: Store,
  events: readonly LooseEvent[],
  link: (loose: readonly LooseEvent[]) => readonly StoredBlock[],
): Promise<void> {
  return store.transaction(async ({ db }) => {
    const loose = await lockLoose(db, events);
    await insertBlocks(db, link(loose));
  });
}

/** By a statement that is planned once: with Prisma, it would take longer than everything else. */
async function readNames({ statement }: Store, ids: readonly string[]): Promise<Names> {
  return namesOf(await statement([], () => ({ name: 'audit-names', sql: selectNames(ids) })));
}

function partOf({ organizationId, events }: CallsOfOrganization, names: Names): BlockPart {
  return { organizationId, calls: prepareCalls(events, names) };
}

function namedIdsOf({ events }: CallsOfOrganization): string[] {
  return events.flatMap(({ input: { actor, target } }) => [actor.id ?? NIL, target.id ?? NIL]);
}

/** Puts management events into the first block of their organization; without one, into another block. */
function withLoose(calls: readonly BlockPart[], loose: readonly LooseEvent[]): BlockPart[] {
  const parts = [...calls];
  for (const organizationId of new Set(loose.map((event) => event.organizationId))) {
    const managed = loose
      .filter((event) => event.organizationId === organizationId)
      .map(({ id, digest, run }) => ({ id, digest, run }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    const index = parts.findIndex((part) => part.organizationId === organizationId);
    if (index === -1) parts.push({ organizationId, managed });
    else parts[index] = { ...(parts[index] as BlockPart), managed };
  }
  return parts;
}
