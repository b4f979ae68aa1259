import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ReadyCredential } from '../../../credentials/outcome.ts';
import { subjectIdOf } from '../../../identity/caller.ts';
import { type SplicedList, spliceList } from '../../../mcp/aggregate/splice-list.ts';
import type { Era } from '../../../mcp/era.ts';
import { type ListKey, mcpLists } from '../../../mcp/methods.ts';
import { eraFor } from '../../../mcp/spoken-eras.ts';
import type { Change } from '../../../platform/changes/changes.ts';
import type { Store } from '../../../platform/database/store.ts';
import type { AggregateAttachment } from '../applications.ts';
import type { InSession } from '../client-call.ts';
import type { UpstreamCallDeps } from '../upstream-calls.ts';
import { erasFor, isOtherNow, mayBeOfOtherEra, upstreamSide } from '../upstream-side.ts';
import { type Access, AccessInTime } from './access.ts';
import { gather, within } from './gather.ts';
import { isSameSource, type KnownList, KnownLists } from './known-lists.ts';
import { LastLists, type LastListsOf } from './last-lists.ts';
import { ListChanges } from './list-changes.ts';
import { askUpstream } from './lost-sessions.ts';
import type { ListPart } from './page.ts';
import { hasPages, NamedPages, type Pages, withoutPagesOfOthers } from './pages.ts';
import { readList, type UnreadList } from './read-list.ts';

/** One list of one integration, for one person and one credential. */
interface Reading {
  readonly client: InSession;
  readonly attachment: AggregateAttachment;
  readonly list: ListKey;
  readonly access: Extract<Access, { kind: 'ready' }>;
  readonly key: string;
  readonly credential: string;
  /** The integration has been asked for its eras, because it refused the other one. */
  readonly isRepeated?: boolean;
}

/** Milliseconds in which all integrations together may give their lists. */
const DEADLINE = 3_000;
const PLACES = 32;

/** Milliseconds for reading all pages of one list. */
const READING = 30_000;

/** Milliseconds for which a list is fresh. */
const FRESH = 30_000;

/** The longest that an integration may state. */
export const MAX_FRESH = 5 * 60_000;

/** Late integrations that are remembered. */
const MAX_LATE = 10_000;

/** A list that is being read. What is read for another route or credential, or before a change, is not shared. */
interface PendingReading extends Pick<KnownList, 'route' | 'credential' | 'begunAt'> {
  readonly outcome: Promise<KnownList | UnreadList>;
}

export interface ListsDeps extends UpstreamCallDeps {
  readonly store: Pick<Store, 'changes' | 'transaction'>;
  /** An integration that was late or had failed has given a list. @param client for which it was read */
  readonly onLate: (client: InSession) => void;
}

/** The lists of an application's integrations, as one person is shown them. */
export class AggregateLists {
  readonly #deps: ListsDeps;
  readonly #ask: typeof askUpstream;
  readonly #access: AccessInTime;
  readonly #changes: ListChanges;
  readonly #known: KnownLists;
  readonly #last = new LastLists();
  readonly #named = new NamedPages();
  /** When lists of integrations were late that have not given one since. */
  readonly #late = new LRUCache<string, number>({ max: MAX_LATE });
  /** Being read now. */
  readonly #pending = new Map<string, PendingReading>();

  /** @param ask sends a request for a page to an integration */
  constructor(deps: ListsDeps, ask = askUpstream) {
    this.#deps = deps;
    this.#ask = ask;
    this.#access = new AccessInTime(deps.callDeps);
    this.#changes = new ListChanges({
      store: deps.store,
      onError: (error) => deps.callDeps.log.warn({ err: error }, 'lists could not be announced'),
    });
    this.#known = new KnownLists({
      haveToolsChangedSince: (time, id) => this.#changes.haveComeSince(time, { kind: 'tools', id }),
    });
  }

  close(): Promise<void> {
    return this.#changes.close();
  }

  /** An integration has announced to a person that its lists have changed: each node reads them again. */
  noteAnnounced({ attachmentId }: AggregateAttachment, subjectId: string): void {
    this.#changes.announce(announcedTo(subjectId, attachmentId));
  }

  /** The parts of a list, the oldest attachment first, without those that are hidden from the caller. */
  async list(client: InSession, list: ListKey): Promise<readonly ListPart[]> {
    const parts = await this.#partsOf(client, list);
    const shown = parts.filter(({ access }) => access.kind !== 'hidden');
    const isOfPages = (list === 'resources' || list === 'resourceTemplates') && hasPages(shown);
    const own = isOfPages ? withoutPagesOfOthers(shown, await this.pages(client)) : shown;
    this.#last.note(subjectIdOf(client.caller), list, own);
    return own;
  }

  /** The owners of pages, by the tools of all integrations. */
  async pages(client: InSession): Promise<Pages> {
    const parts = await this.#partsOf(client, 'tools');
    return this.#named.owners(subjectIdOf(client.caller), parts);
  }

  async #partsOf(client: InSession, list: ListKey): Promise<readonly ListPart[]> {
    const until = performance.now() + DEADLINE;
    const { attachments } = client.application;
    const subjectId = subjectIdOf(client.caller);
    const found = new Map<AggregateAttachment, ListPart>();
    await gather(this.#troubledLast(attachments, subjectId, list), PLACES, async (attachment) => {
      const part = await this.part(client, attachment, list, until);
      found.set(attachment, part);
      if (list === 'tools') this.#named.note(subjectId, part);
    });
    return attachments.flatMap((attachment) => found.get(attachment) ?? []);
  }

  /** They must not take the places of those that have answered. */
  #troubledLast(
    attachments: readonly AggregateAttachment[],
    subjectId: string,
    list: ListKey,
  ): readonly AggregateAttachment[] {
    if (attachments.length <= PLACES) return attachments;
    const isTroubled = (attachment: AggregateAttachment) => {
      const { [list]: last } = this.lastOf(attachment, subjectId);
      return last !== undefined && last.state !== 'ok' && last.state !== 'partial';
    };
    const troubled = new Set(attachments.filter(isTroubled));
    return [...attachments.filter((attachment) => !troubled.has(attachment)), ...troubled];
  }

  /** How the lists of one integration were when this node listed them last for a person. */
  lastOf({ attachmentId }: AggregateAttachment, subjectId: string): LastListsOf {
    return this.#last.of(attachmentId, subjectId);
  }

  /** What one integration gives. @param until by the clock of `performance` */
  async part(
    client: InSession,
    attachment: AggregateAttachment,
    list: ListKey,
    until = performance.now() + DEADLINE,
  ): Promise<ListPart> {
    const access = await this.#access.find(client, attachment, until);
    if (access === undefined) {
      return { attachment, access: { kind: 'failed' }, state: 'late', list: undefined, ttlMs: 0 };
    }
    if (access.kind !== 'ready') {
      const state = access.kind === 'hidden' ? 'failed' : access.kind;
      return { attachment, access, state, list: undefined, ttlMs: 0 };
    }
    return this.#give(await this.#readingOf(client, attachment, list, access), until);
  }

  /** A list as it was read last, however old; undefined if this node has not read it for the person. */
  async known(
    client: InSession,
    attachment: AggregateAttachment,
    list: ListKey,
  ): Promise<SplicedList | undefined> {
    const access = await this.#access.find(client, attachment, performance.now() + DEADLINE);
    if (access?.kind !== 'ready') return undefined;
    const reading = await this.#readingOf(client, attachment, list, access);
    const known = this.#known.find(reading.key, access.route, reading.credential);
    return known && (await present(reading, known)).list;
  }

  async #readingOf(
    client: InSession,
    attachment: AggregateAttachment,
    list: ListKey,
    access: Reading['access'],
  ): Promise<Reading> {
    const subjectId = subjectIdOf(client.caller);
    const spoken = await erasFor(client, access, this.#deps);
    const era = eraFor(spoken, client.call.era);
    const key = keyOf(attachment.attachmentId, subjectId, list, era);
    const credential = credentialKeyOf(access.credential);
    return { client, attachment, list, access, key, credential };
  }

  async #give(reading: Reading, until: number): Promise<ListPart> {
    const { key, credential, access, attachment } = reading;
    const known = this.#known.find(key, access.route, credential);
    if (known !== undefined && this.#isFresh(known, reading)) return present(reading, known);
    const read = await this.#readInTime(reading, until);
    if (read !== undefined) return present(reading, read);
    if (known !== undefined) return { ...(await present(reading, known)), state: 'stale' };
    const state = this.#pending.has(key) ? 'late' : 'failed';
    return { attachment, access, state, list: undefined, ttlMs: 0 };
  }

  #isFresh({ route, freshUntil, begunAt }: KnownList, reading: Reading): boolean {
    if (route !== reading.access.route || freshUntil <= performance.now()) return false;
    return !(
      this.#isAnnouncedSince(begunAt, reading) || this.#haveToolsChangedSince(begunAt, reading)
    );
  }

  /** Whether other tools of the integration were seen since, or a validation was. */
  #haveToolsChangedSince(time: number, { attachment }: Reading): boolean {
    return this.#changes.haveComeSince(time, { kind: 'tools', id: attachment.integrationId });
  }

  /** Whether the integration has announced since then that its lists have changed. */
  #isAnnouncedSince(time: number, { client, attachment }: Reading): boolean {
    const change = announcedTo(subjectIdOf(client.caller), attachment.attachmentId);
    return this.#changes.haveComeSince(time, change);
  }

  /** One that was late or has failed is not waited for again until it has answered. */
  async #readInTime(reading: Reading, until: number): Promise<KnownList | undefined> {
    const { key, access, credential } = reading;
    const trouble = this.#known.troubleOf(key, access.route, credential);
    if (trouble !== undefined) {
      const isDue = trouble.nextTryAt <= performance.now() && !this.#pending.has(key);
      if (isDue) this.#read(reading).catch(() => {});
      return undefined;
    }
    const lateKey = lateKeyOf(reading);
    const lateAt = this.#late.get(lateKey);
    const isLate = lateAt !== undefined && !this.#haveToolsChangedSince(lateAt, reading);
    const time = isLate ? 0 : until - performance.now();
    const read = await within(this.#read(reading), time);
    if (read === undefined && this.#pending.has(key)) {
      this.#late.set(lateKey, performance.now());
      this.#known.noteTrouble(key, access.route, credential);
    }
    return read;
  }

  /** Requests at the same moment share one reading, unless the client that it is for has lost its session or its token. */
  async #read(reading: Reading): Promise<KnownList | undefined> {
    const { key, credential } = reading;
    const { route } = reading.access;
    const other = this.#pending.get(key);
    const isSame = other?.credential === credential && isSameSource(other.route, route);
    if (isSame && !this.#isAnnouncedSince(other.begunAt, reading)) {
      const outcome = await other.outcome;
      return outcome === 'refused_client' ? this.#read(reading) : knownOf(outcome);
    }
    const begunAt = performance.now();
    const outcome = this.#readNow(reading, begunAt).finally(() => {
      if (this.#pending.get(key) === pending) this.#pending.delete(key);
    });
    const pending = { route, credential, begunAt, outcome };
    this.#pending.set(key, pending);
    return knownOf(await outcome);
  }

  async #readNow(reading: Reading, begunAt: number): Promise<KnownList | UnreadList> {
    const { client, attachment, list, access, key, credential } = reading;
    const method = mcpLists[list].method;
    const until = begunAt + READING;
    const { callDeps } = this.#deps;
    const spoken = callDeps.eras.known(access.route, access.credential);
    const { era, session } = await upstreamSide(client, spoken, callDeps);
    const inSession = { ...client, session };
    let isRefused = false;
    const read = await readList(list, era, async (id, body) => {
      const request = { id, method, body, era, until };
      const collected = await this.#ask(inSession, attachment, request, this.#deps);
      isRefused = mayBeOfOtherEra(collected);
      return collected;
    });
    if (read === 'failed' && isRefused && !reading.isRepeated) {
      const isOther = await isOtherNow(client, attachment, era, this.#deps);
      if (isOther) return this.#readNow(inOtherEra(reading, era), begunAt);
    }
    if (typeof read === 'string') {
      if (read === 'failed') this.#known.noteTrouble(key, access.route, credential);
      return read;
    }
    const readAt = performance.now();
    const freshUntil = readAt + Math.min(read.ttlMs ?? FRESH, MAX_FRESH);
    const { route } = access;
    const { entries, isPartial } = read;
    const known = { route, credential, entries, isPartial, begunAt, readAt, freshUntil };
    const wasMissed = this.#known.keep(key, known);
    this.#late.delete(lateKeyOf(reading));
    if (wasMissed) this.#deps.onLate(client);
    return known;
  }
}

/** What an integration has announced to a person. */
export function announcedTo(subjectId: string, attachmentId: string): Change {
  return { kind: 'lists', id: `${attachmentId}:${subjectId}` };
}

function inOtherEra(reading: Reading, era: Era): Reading {
  const { client, attachment, list } = reading;
  const other = era === 'modern' ? 'legacy' : 'modern';
  const key = keyOf(attachment.attachmentId, subjectIdOf(client.caller), list, other);
  return { ...reading, key, isRepeated: true };
}

/** One that is late with one list is not waited for when another is read. */
function lateKeyOf({ client, attachment, credential, access }: Reading): string {
  const { url } = access.route.target;
  return `${attachment.attachmentId} ${subjectIdOf(client.caller)} ${credential} ${url}`;
}

/** A connection that is replaced has another id; a server token has no id. */
function credentialKeyOf({ source, connectionId = '', headers }: ReadyCredential): string {
  if (source !== 'server_token') return `${source} ${connectionId}`;
  return `${source} ${hash('sha256', JSON.stringify(headers))}`;
}

function knownOf(outcome: KnownList | UnreadList): KnownList | undefined {
  return typeof outcome === 'string' ? undefined : outcome;
}

function keyOf(attachmentId: string, subjectId: string, list: ListKey, era: Era): string {
  return `${attachmentId} ${subjectId} ${list} ${era}`;
}

/** As the application lists it now: aliases may have changed since it was read. */
async function present(
  { client, attachment, list, access }: Reading,
  known: KnownList,
): Promise<ListPart> {
  const { application } = client;
  if (known.spliced?.application !== application) {
    const { nameLength, aliases } = application;
    const spliced = await spliceList(list, known.entries, { ...attachment, nameLength, aliases });
    known.spliced = { application, list: spliced };
  }
  const ttlMs = Math.max(0, Math.round(known.freshUntil - performance.now()));
  const state = known.isPartial ? 'partial' : 'ok';
  return { attachment, access, state, list: known.spliced.list, ttlMs };
}
