import { problemCodes } from '@gatehouse/contract';
import type { ResponseKind } from '../../mcp/awaited-messages.ts';
import type { ProblemError } from '../../platform/problem-error.ts';
import type { Admission } from '../admission.ts';
import { Call } from '../call.ts';
import { type MakeCallDeps, makeCall } from '../make-call.ts';
import type { OwnAnswer } from '../own-answer.ts';
import type { Answered, CallRequest, ResponseSink } from '../ports.ts';
import { brokenOff } from '../problems.ts';
import { headersOf } from '../response-head.ts';
import type { AggregateAttachment } from './applications.ts';
import type { Admitted } from './client-call.ts';
import type { CallFailure, UpstreamAnswer, UpstreamBody } from './upstream-answer.ts';

export interface UpstreamCallDeps {
  readonly callDeps: MakeCallDeps;
}

/** A call to one integration. Its answer must be read to its end, or the call aborted. */
export interface UpstreamCall {
  readonly answer: Promise<UpstreamAnswer | CallFailure>;
  /** The route and the session that it was sent in; undefined before it is admitted. */
  readonly admission: Admission | undefined;
  /** Whether its request has been sent, or is about to be. */
  readonly isSent: boolean;
  /** The response to the request, if it is in what has come. */
  readonly responseKind: ResponseKind | undefined;
  /** Ends the call: nobody waits for its answer any more. */
  abort(): void;
  /** Ends the call: its answer has been read. */
  finish(): void;
}

/**
 * Makes a call to one integration, as if the client had sent the request to the pair's own URL: it is admitted, judged,
 * limited, sent and recorded in the same way.
 */
export function callUpstream(
  client: Pick<Admitted, 'call' | 'token' | 'caller'>,
  attachment: Pick<AggregateAttachment, 'key'>,
  request: CallRequest,
  { callDeps }: UpstreamCallDeps,
): UpstreamCall {
  const { call: clientCall, token, caller } = client;
  const response = new ArrivingAnswer();
  const call = new Call(request, response, callDeps);
  callDeps.openCalls.add(call);
  call.allowOrigin(clientCall.corsHeaders);
  makeCall(call, { token, caller }, attachment.key, callDeps).then(
    (own) => own && call.answer(own),
    (error: unknown) => call.refuse(error),
  );
  return new StartedCall(call, response);
}

/** Bytes that wait for the reader before the upstream is paused. */
const HIGH_WATER = 16 * 1024;

const END: IteratorReturnResult<undefined> = { done: true, value: undefined };

class StartedCall implements UpstreamCall {
  readonly #call: Call;
  readonly #response: ArrivingAnswer;

  constructor(call: Call, response: ArrivingAnswer) {
    this.#call = call;
    this.#response = response;
  }

  get answer(): Promise<UpstreamAnswer | CallFailure> {
    return this.#response.answered;
  }

  get admission(): Admission | undefined {
    return this.#call.admission;
  }

  get isSent(): boolean {
    return this.#call.exchange !== undefined;
  }

  get responseKind(): ResponseKind | undefined {
    return this.#call.responseKind;
  }

  abort(): void {
    this.#response.close(false);
  }

  finish(): void {
    this.#response.close(true);
  }
}

/** The answer to a call as it arrives, for a reader in this process. */
class ArrivingAnswer implements ResponseSink, UpstreamBody, AsyncIterator<Buffer, undefined> {
  readonly answered: Promise<UpstreamAnswer | CallFailure>;
  status = 0;
  isGone = false;
  failure: ProblemError | undefined;
  #resolve: ((answer: UpstreamAnswer | CallFailure) => void) | undefined;
  #isWhole = false;
  /** The bytes that have arrived and have not been read. */
  #chunks: Buffer[] = [];
  #size = 0;
  #wakeReader: (() => void) | undefined;
  #onDrain: (() => void) | undefined;
  #onClose: ((isAnswered: boolean) => void) | undefined;

  constructor() {
    this.answered = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get isOver(): boolean {
    return this.#isWhole || this.isGone;
  }

  get isSent(): boolean {
    return this.#isWhole;
  }

  get waitingBytes(): number {
    return this.#size;
  }

  get isFull(): boolean {
    return this.#size > HIGH_WATER;
  }

  onClose(listener: (isAnswered: boolean) => void): void {
    this.#onClose = listener;
  }

  onDrain(listener: () => void): void {
    if (this.isFull) this.#onDrain = listener;
    else listener();
  }

  begin(status: number, headers: string[]): void {
    this.status = status;
    this.#resolve?.({ kind: 'answer', status, headers, body: this });
  }

  flush(): void {}

  write(part: Buffer | string): boolean {
    if (this.isOver) return true;
    const chunk = typeof part === 'string' ? Buffer.from(part) : part;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    this.#wakeReader?.();
    return !this.isFull;
  }

  end(rest?: Buffer | string): void {
    if (rest !== undefined && rest.length > 0) this.write(rest);
    this.#isWhole = true;
    this.#wakeReader?.();
  }

  destroy(): void {
    this.#fail(brokenOff());
  }

  answer(own: OwnAnswer, answered: Answered): number {
    if (this.isOver) return 0;
    if (this.status !== 0) this.#fail(own.kind === 'problem' ? own.problem : brokenOff());
    else if (own.kind === 'answer') {
      this.begin(own.status, headersOf(own, answered));
      this.end(own.json);
      return this.#size;
    } else if (own.kind === 'problem') {
      this.status = problemCodes[own.problem.code].status;
      this.#fail(own.problem);
    } else {
      this.status = 200;
      this.#isWhole = true;
      this.#resolve?.({ kind: 'refused', error: own.error });
    }
    return 0;
  }

  /** The call upstream is aborted, unless it has ended. @param isAnswered the reader has what it waited for */
  close(isAnswered: boolean): void {
    if (this.isOver) return;
    this.isGone = true;
    this.#chunks = [];
    this.#size = 0;
    this.#settle(brokenOff());
    this.#onClose?.(isAnswered);
  }

  /** The rest does not come. */
  #fail(problem: ProblemError): void {
    if (this.isOver) return;
    this.#isWhole = true;
    this.#settle(problem);
  }

  #settle(problem: ProblemError): void {
    this.failure = problem;
    this.#resolve?.({ kind: 'problem', problem });
    this.#wakeReader?.();
  }

  takeWhole(): Buffer | undefined {
    if (!this.#isWhole || this.failure !== undefined) return undefined;
    const [only = Buffer.alloc(0), ...others] = this.#chunks;
    this.#chunks = [];
    return others.length === 0 ? only : Buffer.concat([only, ...others]);
  }

  // Without a generator, which takes three more turns of the microtask queue for each chunk.
  [Symbol.asyncIterator](): AsyncIterator<Buffer, undefined> {
    return this;
  }

  async next(): Promise<IteratorResult<Buffer, undefined>> {
    while (true) {
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) {
        this.#noteRead(chunk);
        return { done: false, value: chunk };
      }
      if (this.isOver) return END;
      await this.#arrival();
    }
  }

  /** The reader leaves its loop: it has what it waited for. */
  async return(): Promise<IteratorReturnResult<undefined>> {
    this.close(true);
    return END;
  }

  #noteRead({ length }: Buffer): void {
    this.#size -= length;
    const onDrain = this.#size === 0 ? this.#onDrain : undefined;
    if (onDrain === undefined) return;
    this.#onDrain = undefined;
    onDrain();
  }

  #arrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#wakeReader = resolve;
    });
  }
}
