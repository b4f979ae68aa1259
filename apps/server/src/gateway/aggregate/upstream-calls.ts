import { problemCodes } from '@gatehouse/contract';
import type { ProblemError } from '../../platform/problem-error.ts';
import type { Admission } from '../admission.ts';
import { Call } from '../call.ts';
import type { CallRefusal } from '../call-record.ts';
import type { CallRequest, ClientResponse } from '../client-side.ts';
import { type MakeCallDeps, makeCall } from '../make-call.ts';
import { brokenOff } from '../problems.ts';
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
  const call = new Call(clientCall.req, response, callDeps, request);
  callDeps.openCalls.add(call);
  call.allowOrigin(clientCall.corsHeaders);
  makeCall(call, { token, caller }, attachment.key, callDeps).catch((error: unknown) =>
    call.refuse(error),
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
    return this.#response.answer;
  }

  get admission(): Admission | undefined {
    return this.#call.admission;
  }

  get isSent(): boolean {
    return this.#call.exchange !== undefined;
  }

  abort(): void {
    this.#response.close(false);
  }

  finish(): void {
    this.#response.close(true);
  }
}

/** The response of a call as values: the one place where the relay's writing becomes an answer that is read. */
class ArrivingAnswer implements ClientResponse, UpstreamBody, AsyncIterator<Buffer, undefined> {
  readonly answer: Promise<UpstreamAnswer | CallFailure>;
  statusCode = 0;
  headersSent = false;
  destroyed = false;
  writableEnded = false;
  isAnswered = false;
  failure: ProblemError | undefined;
  #resolve: ((answer: UpstreamAnswer | CallFailure) => void) | undefined;
  /** The bytes that have arrived and have not been read. */
  #chunks: Buffer[] = [];
  #size = 0;
  #wakeReader: (() => void) | undefined;
  #onDrain: (() => void) | undefined;
  #onClose: (() => void) | undefined;

  constructor() {
    this.answer = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get writableLength(): number {
    return this.#size;
  }

  get writableNeedDrain(): boolean {
    return this.#size > HIGH_WATER;
  }

  on(_event: 'close', listener: () => void): void {
    this.#onClose = listener;
  }

  once(_event: 'drain', listener: () => void): void {
    if (this.writableNeedDrain) this.#onDrain = listener;
    else listener();
  }

  writeHead(status: number, headers: string[]): void {
    this.statusCode = status;
    this.headersSent = true;
    this.#resolve?.({ kind: 'answer', status, headers, body: this });
  }

  flushHeaders(): void {}

  write(part: Buffer | string): boolean {
    if (this.#hasEnded) return true;
    const chunk = typeof part === 'string' ? Buffer.from(part) : part;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    this.#wakeReader?.();
    return !this.writableNeedDrain;
  }

  end(rest?: Buffer | string, encoding: 'latin1' | 'utf8' = 'utf8'): void {
    if (rest !== undefined && rest.length > 0) {
      this.write(typeof rest === 'string' ? Buffer.from(rest, encoding) : rest);
    }
    this.writableEnded = true;
    this.#wakeReader?.();
  }

  /** The rest does not come. */
  destroy(): void {
    this.takeProblem(brokenOff());
  }

  takeProblem(problem: ProblemError): void {
    if (this.#hasEnded) return;
    if (!this.headersSent) {
      this.headersSent = true;
      this.statusCode = problemCodes[problem.code].status;
    }
    this.writableEnded = true;
    this.#fail(problem);
  }

  takeRefusal(error: CallRefusal): void {
    if (this.#hasEnded) return;
    this.headersSent = true;
    this.statusCode = 200;
    this.writableEnded = true;
    this.#resolve?.({ kind: 'refused', error });
  }

  /** The call upstream is aborted, unless it has ended. @param isAnswered the reader has what it waited for */
  close(isAnswered: boolean): void {
    if (this.#hasEnded) return;
    this.isAnswered = isAnswered;
    this.destroyed = true;
    this.#chunks = [];
    this.#size = 0;
    this.#fail(brokenOff());
    this.#onClose?.();
  }

  #fail(problem: ProblemError): void {
    this.failure = problem;
    this.#resolve?.({ kind: 'problem', problem });
    this.#wakeReader?.();
  }

  takeWhole(): Buffer | undefined {
    if (!this.writableEnded || this.failure !== undefined) return undefined;
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
      if (this.#hasEnded) return END;
      await this.#arrival();
    }
  }

  /** The reader leaves its loop: it has what it waited for. */
  async return(): Promise<IteratorReturnResult<undefined>> {
    this.close(true);
    return END;
  }

  get #hasEnded(): boolean {
    return this.writableEnded || this.destroyed;
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
