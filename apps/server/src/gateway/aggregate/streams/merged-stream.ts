import { subjectIdOf } from '../../../identity/caller.ts';
import { fieldOf, type StreamEvent } from '../../../mcp/sse/event-reader.ts';
import { EventWriter } from '../../../mcp/sse/event-writer.ts';
import type { CallRequest } from '../../ports.ts';
import { beginStream } from '../../response-head.ts';
import type { AggregateAttachment } from '../applications.ts';
import type { InSession } from '../client-call.ts';
import type { AggregateLists } from '../lists/lists.ts';
import { callUpstream, type UpstreamCall, type UpstreamCallDeps } from '../upstream-calls.ts';
import { mergeStream, type PartEnd, type StreamlessServers } from './stream-part.ts';

/** The stream of one integration. */
export interface Followed {
  readonly request: CallRequest;
  /** The resources that it hears of, in a translation of subscriptions. */
  readonly uris?: readonly string[];
  /** The event as the client gets it. One that it does not get is only looked at for changed lists. */
  toClient(event: StreamEvent): Buffer | undefined;
  /** The integration has no such stream. */
  noteRefused?(): void;
}

/** What is said on a stream, and how the integrations' streams are opened. */
export interface Speech {
  /** Sent at once; empty for nothing. */
  readonly first: string;
  /** The lists have changed. */
  readonly changed: string;
  /** Why we end it. @param isClosing the service is shutting down */
  ended(isClosing: boolean): string;
  /**
   * How the stream of an integration is opened; undefined if there is no such stream.
   *
   * @param lastEventId of the integration, where its stream has been open before
   */
  follow(
    client: InSession,
    attachment: AggregateAttachment,
    lastEventId: string | undefined,
  ): Promise<Followed | undefined>;
  /** The resources of an integration that its open stream must hear of. */
  subscribedTo?(client: InSession, attachment: AggregateAttachment): readonly string[];
  /** The stream is that of this integration, resumed: it ends with it. */
  endsWith(attachment: AggregateAttachment): boolean;
}

export interface SpeechDeps extends UpstreamCallDeps {
  readonly streamless: StreamlessServers;
}

export interface MergedStreamDeps extends UpstreamCallDeps {
  readonly lists: Pick<AggregateLists, 'noteAnnounced'>;
}

/** In the notifications of changed lists. */
const LIST_CHANGED = Buffer.from('/list_changed"');

/** Streams of integrations in one stream. */
const MAX_PARTS = 32;

function isSameUris(one: readonly string[] = [], other: readonly string[] = []): boolean {
  return one.length === other.length && one.every((uri, index) => uri === other[index]);
}

/** A client's event stream, into which those of several integrations are merged, event by event. */
export class MergedStream {
  client: InSession;
  readonly #speech: Speech;
  readonly #deps: MergedStreamDeps;
  readonly #events: EventWriter;
  /** By attachment: open, or refused for as long as this stream lasts. */
  readonly #parts = new Map<string, UpstreamCall | 'refused'>();
  /** By attachment: the resources that its open stream hears of. */
  readonly #uris = new Map<string, readonly string[]>();
  /** By attachment: the last event of its stream. */
  readonly #lastEventIds = new Map<string, string>();
  /** Attachments that have answered without a stream since one was open. */
  readonly #absent = new Set<string>();
  readonly #reopenAfter: number;
  /** When streams that have ended are opened again, by the clock of `performance`. */
  #reopenAt = Number.POSITIVE_INFINITY;
  #hasNews = false;
  #turn = 0;

  constructor(client: InSession, speech: Speech, deps: MergedStreamDeps) {
    this.client = client;
    this.#speech = speech;
    this.#deps = deps;
    const { keepAlive, reconnectAfter } = deps.callDeps.limits;
    this.#events = new EventWriter(client.call.response, {
      keepAlive,
      isOwn: true,
      mayBegin: true,
    });
    this.#reopenAfter = reconnectAfter;
  }

  get hasEnded(): boolean {
    return this.client.call.response.isOver;
  }

  /** @param onClose called once, when the client has gone or the stream has ended */
  start(onClose: () => void): void {
    const { call } = this.client;
    beginStream(call);
    call.onClose(() => {
      for (const part of this.#parts.values()) if (part !== 'refused') part.abort();
      this.#parts.clear();
      onClose();
    });
    if (this.#speech.first !== '') this.#events.send(this.#speech.first);
  }

  /**
   * Opens the stream of an integration, unless it was refused; also one that is open, to hear of other resources. One call at
   * a time for each.
   */
  async join(attachment: AggregateAttachment): Promise<void> {
    const { attachmentId } = attachment;
    const open = this.#parts.get(attachmentId);
    if (this.hasEnded || open === 'refused' || (open && !this.#hasOtherUris(attachment))) return;
    const lastEventId = this.#lastEventIds.get(attachmentId);
    const followed = await this.#speech.follow(this.client, attachment, lastEventId);
    const isSame = open !== undefined && isSameUris(followed?.uris, this.#uris.get(attachmentId));
    if (followed === undefined) this.#leave(attachmentId);
    if (followed === undefined || isSame || this.hasEnded) return;
    if (open !== undefined || this.#hasRoom()) this.#open(attachment, followed);
  }

  /** There is nothing to hear of any more. */
  #leave(attachmentId: string): void {
    const part = this.#parts.get(attachmentId);
    this.#parts.delete(attachmentId);
    if (part !== 'refused') part?.abort();
  }

  /** Also after a change of rules: which resources are allowed is found when it is followed. */
  #hasOtherUris(attachment: AggregateAttachment): boolean {
    const { length } = this.#uris.get(attachment.attachmentId) ?? [];
    const subscribed = this.#speech.subscribedTo?.(this.client, attachment) ?? [];
    return length > 0 || subscribed.length > 0;
  }

  #hasRoom(): boolean {
    return [...this.#parts.values()].filter((part) => part !== 'refused').length < MAX_PARTS;
  }

  #open(attachment: AggregateAttachment, followed: Followed): void {
    const { request, toClient, uris = [] } = followed;
    const before = this.#parts.get(attachment.attachmentId);
    const { attachmentId } = attachment;
    const part = callUpstream(this.client, attachment, request, this.#deps);
    this.#parts.set(attachmentId, part);
    this.#uris.set(attachmentId, uris);
    const merged = mergeStream(part, this, {
      onBegin: () => {
        if (before !== 'refused') before?.abort();
      },
      toClient: (event) => {
        const eventId = fieldOf(event, 'id');
        if (eventId !== undefined) this.#noteEventId(attachmentId, eventId);
        if (event.bytes.includes(LIST_CHANGED)) this.#noteAnnounced(attachment);
        return toClient(event);
      },
    });
    const { log } = this.#deps.callDeps;
    const fail = (error: unknown): PartEnd => {
      log.warn({ err: error }, 'a stream could not be followed');
      return 'broken';
    };
    void merged.catch(fail).then((end) => {
      if (end === 'refused') followed.noteRefused?.();
      if (this.#parts.get(attachmentId) === part) this.#noteEnd(attachment, end);
    });
  }

  #noteEnd(attachment: AggregateAttachment, end: PartEnd): void {
    const { attachmentId } = attachment;
    if (this.#speech.endsWith(attachment)) {
      this.end(false);
      return;
    }
    const isAbsentAgain = end === 'absent' && this.#absent.has(attachmentId);
    if (end === 'refused' || isAbsentAgain) {
      this.#parts.set(attachmentId, 'refused');
      return;
    }
    this.#parts.delete(attachmentId);
    if (end === 'denied') return;
    if (end === 'broken') {
      this.#absent.delete(attachmentId);
      this.#reopenAt = Math.min(this.#reopenAt, performance.now() + this.#reopenAfter);
    } else {
      // Of a session that its server has forgotten, most likely: another one will begin.
      this.#absent.add(attachmentId);
      this.#lastEventIds.delete(attachmentId);
    }
  }

  /** An empty id means that the stream cannot be resumed from here on (WHATWG HTML section 9.2.6). */
  #noteEventId(attachmentId: string, eventId: string): void {
    if (eventId === '') this.#lastEventIds.delete(attachmentId);
    else this.#lastEventIds.set(attachmentId, eventId);
  }

  /** The client will read the lists again, on any node. */
  #noteAnnounced(attachment: AggregateAttachment): void {
    this.#deps.lists.noteAnnounced(attachment, subjectIdOf(this.client.caller));
  }

  /**
   * Takes the client as it was admitted again. The streams of attachments that are gone end.
   *
   * @param turn the later, the higher @returns false if a later one is known
   */
  replaceClient(client: InSession, turn: number): boolean {
    if (turn < this.#turn) return false;
    this.#turn = turn;
    this.client = client;
    const kept = new Set(client.application.attachments.map(({ attachmentId }) => attachmentId));
    for (const attachmentId of [...this.#parts.keys()]) {
      if (!kept.has(attachmentId)) this.#leave(attachmentId);
    }
    return true;
  }

  write(event: Buffer): boolean {
    return this.#events.send(event);
  }

  drained(): Promise<void> {
    return this.client.call.drained();
  }

  /** The client hears of it at the next tick, at most once a second. */
  noteListChanges(): void {
    this.#hasNews = true;
  }

  /** @param now by the clock of `performance` */
  tick(now: number): void {
    if (this.hasEnded || this.client.call.response.isFull) return;
    if (this.#hasNews) {
      this.#hasNews = false;
      this.#events.send(this.#speech.changed);
    } else this.#events.keepAlive(now);
  }

  /** Whether streams of integrations have ended that are to be opened again now. */
  takeReopening(now: number): boolean {
    const isDue = now >= this.#reopenAt;
    if (isDue) this.#reopenAt = Number.POSITIVE_INFINITY;
    return isDue;
  }

  end(isClosing: boolean): void {
    if (this.hasEnded) return;
    this.client.call.response.end(this.#speech.ended(isClosing));
  }
}
