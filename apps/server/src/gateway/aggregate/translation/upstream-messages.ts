import { toProblem } from '../../../http/problem-response.ts';
import type { Era } from '../../../mcp/era.ts';
import { EventMessages } from '../../../mcp/translation/event-messages.ts';
import { MessageReader, type ReadMessage } from '../../../mcp/translation/message-reader.ts';
import { FROM_SERVER } from '../../../mcp/translation/shapes.ts';
import { ProblemError } from '../../../platform/problem-error.ts';
import { brokenOff } from '../../problems.ts';
import type { ClientCall } from '../client-call.ts';
import { formatOf, noAnswerOf, type UpstreamFailure } from '../upstream-answer.ts';
import type { UpstreamCall } from '../upstream-calls.ts';

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

/** Reads the messages of the answer to a translated request as they arrive. */
export class UpstreamMessages {
  readonly #sent: UpstreamCall;
  readonly #call: ClientCall;
  readonly #taker: MessageTaker;
  /** Nothing more of the answer is wanted. */
  #isOver = false;
  #hasEnded = false;
  /** Bytes of the longest message so far, for which there is memory until the client's call ends. */
  #kept = 0;

  /** @param call of the client @param era of the upstream */
  constructor(sent: UpstreamCall, call: ClientCall, era: Era, taker: MessageTaker) {
    this.#sent = sent;
    this.#call = call;
    this.#taker = taker;
    this.#read(era).catch((error: unknown) =>
      this.#fail({ kind: 'problem', problem: toProblem(error) }),
    );
  }

  /** The client has its answer, or has gone away. */
  clientClosed(): void {
    if (this.#call.response.isSent) this.answered();
    else this.close();
  }

  /** The upstream may end its answer, which has been read. */
  answered(): void {
    this.#isOver = true;
    if (!this.#hasEnded) setTimeout(() => this.#sent.finish(), END_WITHIN).unref();
  }

  close(): void {
    this.#isOver = true;
    this.#sent.abort();
  }

  async #read(era: Era): Promise<void> {
    const answer = await this.#sent.answer;
    if (answer.kind !== 'answer') {
      this.#fail(answer);
      return;
    }
    const { status, body } = answer;
    const format = formatOf(answer, era);
    const events = format === 'events' ? this.#eventMessages(status) : undefined;
    const json = new MessageReader(FROM_SERVER);
    for await (const chunk of body) {
      const reader = events ?? json;
      if (!this.#hasRoomFor(reader.size + chunk.length)) {
        this.#fail({ kind: 'problem', problem: tooLarge() });
        this.close();
        return;
      }
      reader.feed(chunk);
      if (events !== undefined && this.#call.response.isFull) await this.#call.drained();
    }
    this.#hasEnded = true;
    if (this.#isOver || this.#taker.isDone) return;
    if (events !== undefined || body.failure !== undefined) this.#breakOff(events, body.failure);
    else {
      const message = format === 'json' ? json.end() : undefined;
      if (message !== undefined) this.#taker.take(message, status);
      if (!this.#taker.isDone) this.#fail(noAnswerOf(answer));
    }
  }

  #eventMessages(status: number): EventMessages {
    return new EventMessages(FROM_SERVER, {
      message: (message) => {
        if (!this.#isOver) this.#taker.take(message, status);
      },
      comment: () => {
        if (!this.#isOver) this.#taker.keepAlive();
      },
    });
  }

  /** A stream that was cut can be resumed. */
  #breakOff(events: EventMessages | undefined, problem = brokenOff()): void {
    const { lastEventId, retry } = events ?? {};
    const isCut = problem.code === 'upstream_unreachable';
    if (isCut && lastEventId !== undefined && this.#taker.resume?.(lastEventId, retry)) return;
    this.#fail({ kind: 'problem', problem });
  }

  #fail(failure: UpstreamFailure): void {
    if (!this.#isOver) this.#taker.fail(failure);
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
