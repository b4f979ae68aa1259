import type { Era } from '../../../mcp/era.ts';
import { EventMessages } from '../../../mcp/translation/event-messages.ts';
import { MessageReader, type ReadMessage } from '../../../mcp/translation/message-reader.ts';
import { FROM_SERVER } from '../../../mcp/translation/places.ts';
import { ProblemError } from '../../../platform/problem-error.ts';
import { brokenOff } from '../../problems.ts';
import type { ClientCall } from '../client-call.ts';
import {
  formatOf,
  type Head,
  NO_HEAD,
  noAnswerOf,
  type UpstreamFailure,
  UpstreamResponse,
} from '../upstream-response.ts';

/** What takes the messages of an upstream's response. Nothing is taken after the answer, or after a failure. */
export interface MessageTaker {
  readonly isDone: boolean;
  /** @param status of the response */
  take(message: ReadMessage, status: number): void;
  /** A comment keeps the stream open. */
  keepAlive(): void;
  fail(failure: UpstreamFailure): void;
  /**
   * The stream has ended after this event, before the answer.
   *
   * @param retry milliseconds, if the stream names a time
   * @returns whether it is resumed
   */
  resume?(lastEventId: string, retry: number | undefined): boolean;
}

/** Bytes of one message. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Milliseconds in which the upstream may end a stream that has answered. */
const END_WITHIN = 1_000;

/** The response to a request that was translated: its messages, as they arrive. */
export class UpstreamMessages extends UpstreamResponse {
  readonly #call: ClientCall;
  readonly #era: Era;
  readonly #taker: MessageTaker;
  #head = NO_HEAD;
  #format: ReturnType<typeof formatOf>;
  #events: EventMessages | undefined;
  readonly #json = new MessageReader(FROM_SERVER);
  /** Bytes of the longest message so far, for which there is memory until the client's call ends. */
  #kept = 0;

  /** @param era of the upstream */
  constructor(call: ClientCall, era: Era, taker: MessageTaker) {
    super();
    this.#era = era;
    this.#call = call;
    this.#taker = taker;
  }

  override get writableLength(): number {
    return this.#call.res.writableLength;
  }

  override get writableNeedDrain(): boolean {
    return this.#events !== undefined && this.#call.res.writableNeedDrain;
  }

  override once(_event: 'drain', listener: () => void): void {
    if (this.writableNeedDrain) this.#call.res.once('drain', listener);
    else listener();
  }

  /** The client has its answer, or has gone away. */
  clientClosed(): void {
    if (this.#call.res.writableFinished) this.answered();
    else this.close();
  }

  /** Nothing more is wanted of it. */
  answered(): void {
    if (this.writableEnded || this.destroyed) return;
    this.isAnswered = true;
    setTimeout(() => this.close(), END_WITHIN).unref();
  }

  override close(): void {
    if (!this.writableEnded && !this.destroyed) super.close();
  }

  write(part: Buffer | string): boolean {
    const chunk = typeof part === 'string' ? Buffer.from(part) : part;
    const reader = this.#events ?? this.#json;
    if (!this.#hasRoomFor(reader.size + chunk.length)) {
      this.fail({ kind: 'problem', problem: tooLarge() });
      this.close();
      return true;
    }
    reader.feed(chunk);
    return !this.writableNeedDrain;
  }

  protected begin(head: Head): void {
    this.#head = head;
    this.#format = formatOf(head, this.#era);
    if (this.#format !== 'events') return;
    this.#events = new EventMessages(FROM_SERVER, {
      message: (message) => this.#taker.take(message, head.status),
      comment: () => this.#taker.keepAlive(),
    });
  }

  protected finish(): void {
    if (this.#taker.isDone) return;
    if (this.#events !== undefined) {
      this.breakOff();
      return;
    }
    const message = this.#format === 'json' ? this.#json.end() : undefined;
    if (message !== undefined) this.#taker.take(message, this.#head.status);
    if (!this.#taker.isDone) this.fail(noAnswerOf(this.#head));
  }

  protected breakOff(): void {
    if (this.#taker.isDone) return;
    const { lastEventId, retry } = this.#events ?? {};
    if (lastEventId !== undefined && this.#taker.resume?.(lastEventId, retry)) return;
    this.fail({ kind: 'problem', problem: brokenOff() });
  }

  protected fail(failure: UpstreamFailure): void {
    this.#taker.fail(failure);
  }

  #hasRoomFor(size: number): boolean {
    if (size > MAX_BYTES) return false;
    if (size <= this.#kept) return true;
    if (!this.#call.keepOfBody(size - this.#kept)) return false;
    this.#kept = size;
    return true;
  }
}

function tooLarge(): ProblemError {
  return new ProblemError(
    'upstream_response_too_large',
    'The response of the integration is larger than a translated message may be.',
  );
}
