import type { Era } from '../../../mcp/era.ts';
import { EventMessages } from '../../../mcp/translation/event-messages.ts';
import { MessageReader, type ReadMessage } from '../../../mcp/translation/message-reader.ts';
import { FROM_SERVER } from '../../../mcp/translation/shapes.ts';
import { ProblemError } from '../../../platform/problem-error.ts';
import { brokenOff } from '../../problems.ts';
import type { ClientCall } from '../client-call.ts';
import {
  discard,
  formatOf,
  noAnswerOf,
  type UpstreamAnswer,
  type UpstreamFailure,
} from '../upstream-answer.ts';
import type { UpstreamCall } from '../upstream-calls.ts';
import type { ClientStream } from './client-stream.ts';

/** Bytes of one message. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Milliseconds in which the upstream may end a stream that has answered. */
const END_WITHIN = 1_000;

const END: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** The two sides of a translated request. */
export interface MessagesOptions {
  readonly call: ClientCall;
  /** Of the upstream. */
  readonly era: Era;
  /** The client hears of the comments with which the upstream keeps its stream open. */
  readonly stream?: Pick<ClientStream, 'sendComment'>;
}

/** With what an event stream is resumed that was cut before the answer. */
export interface Resumption {
  readonly lastEventId: string;
  /** Milliseconds that the upstream asks for before, if it does. */
  readonly retry: number | undefined;
}

/**
 * The messages of the answer to a translated request, as they arrive. A loop that is left early has what it waited for: the
 * upstream may end its answer.
 */
export class UpstreamMessages implements AsyncIterator<ReadMessage, undefined> {
  readonly #sent: UpstreamCall;
  readonly #options: MessagesOptions;
  #answer: UpstreamAnswer | undefined;
  #chunks: AsyncIterator<Buffer, undefined> | undefined;
  #json: MessageReader | undefined;
  #events: EventMessages | undefined;
  /** The messages that have arrived and have not been read. */
  readonly #arrived: ReadMessage[] = [];
  /** Bytes of the longest message so far, for which there is memory until the client's call ends. */
  #kept = 0;
  #failure: UpstreamFailure | undefined;

  constructor(sent: UpstreamCall, options: MessagesOptions) {
    this.#sent = sent;
    this.#options = options;
  }

  /** The status of the response that the messages are in. */
  get status(): number {
    return this.#answer?.status ?? 0;
  }

  /** Why the answer is not among the messages, once all of them have been read. */
  get failure(): UpstreamFailure {
    return this.#failure ?? { kind: 'invalid' };
  }

  /** Undefined unless an event stream was cut after an event with an id. */
  get resumption(): Resumption | undefined {
    const { lastEventId, retry } = this.#events ?? {};
    const { failure } = this;
    const isCut = failure.kind === 'problem' && failure.problem.code === 'upstream_unreachable';
    return isCut && lastEventId !== undefined ? { lastEventId, retry } : undefined;
  }

  // Without a generator, which takes three more turns of the microtask queue for each message.
  [Symbol.asyncIterator](): AsyncIterator<ReadMessage, undefined> {
    return this;
  }

  async next(): Promise<IteratorResult<ReadMessage, undefined>> {
    const answer = this.#answer ?? (await this.#begin());
    while (true) {
      const message = this.#arrived.shift();
      if (message !== undefined) return { done: false, value: message };
      if (answer === undefined || this.#failure !== undefined) return END;
      await this.#readOn(answer);
    }
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    if (this.#failure === undefined) void this.#discardRest();
    return END;
  }

  async #begin(): Promise<UpstreamAnswer | undefined> {
    const answer = await this.#sent.answer;
    if (answer.kind !== 'answer') {
      this.#failure = answer;
      return undefined;
    }
    const { era, stream } = this.#options;
    this.#answer = answer;
    this.#chunks = answer.body[Symbol.asyncIterator]();
    const format = formatOf(answer, era);
    if (format === undefined) await discard(answer.body);
    else if (format === 'json') this.#json = new MessageReader(FROM_SERVER);
    else {
      this.#events = new EventMessages(FROM_SERVER, {
        message: (message) => this.#arrived.push(message),
        comment: () => {
          if (this.#arrived.length === 0) stream?.sendComment();
        },
      });
    }
    return answer;
  }

  async #readOn(answer: UpstreamAnswer): Promise<void> {
    const { call } = this.#options;
    if (call.response.isFull) await call.drained();
    const { value: chunk } = (await this.#chunks?.next()) ?? END;
    const reader = this.#events ?? this.#json;
    if (chunk === undefined) this.#endBody(answer);
    else if (this.#hasRoomFor((reader?.size ?? 0) + chunk.length)) reader?.feed(chunk);
    else {
      this.#failure = { kind: 'problem', problem: tooLarge() };
      this.#sent.abort();
    }
  }

  #endBody(answer: UpstreamAnswer): void {
    const problem = answer.body.failure ?? (this.#events && brokenOff());
    this.#failure = problem === undefined ? noAnswerOf(answer) : { kind: 'problem', problem };
    const message = problem === undefined ? this.#json?.end() : undefined;
    if (message !== undefined) this.#arrived.push(message);
  }

  async #discardRest(): Promise<void> {
    const body = this.#answer?.body;
    if (body === undefined || body.takeWhole() !== undefined) return;
    const timer = setTimeout(() => this.#sent.finish(), END_WITHIN).unref();
    await discard(body);
    clearTimeout(timer);
  }

  #hasRoomFor(size: number): boolean {
    if (size > MAX_BYTES) return false;
    if (size <= this.#kept) return true;
    if (!this.#options.call.keepOfBody(size - this.#kept)) return false;
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
