import { Readable } from 'node:stream';
import type { Envelope, Unreadable } from '../mcp/envelope/message.ts';
import { PassingEnvelope } from '../mcp/envelope/passing-envelope.ts';
import { type MessageIds, readMessageIds } from '../mcp/message-ids.ts';
import { type EntireBodyReader, readEntireBody, refuseTooLarge } from './entire-body.ts';
import type { GatewayLimits } from './limits.ts';
import { type OwnAnswer, unreadable } from './own-answer.ts';
import { noRoomForBody } from './problems.ts';

/** What an admitted call needs its body for. */
export type BodyNeed =
  /** There is no body. */
  | 'none'
  /** It is relayed. A short one is kept, so that it can be sent again and a refusal has its message ids. */
  | 'ids'
  /** Its messages are read here before anything is sent. */
  | 'whole'
  /** Rules about names judge its messages, so it is read to its end, however long it is. */
  | 'judged';

/** Nothing, a body that has been read whole, or one as it arrives. */
export type RequestBody = Buffer | BodyStream | null;

/** A call as the reader of its body sees it. */
export interface BodyReader extends EntireBodyReader {
  /** Whether an observer reads the messages. */
  readonly notes: { readonly needsMessages: boolean };
  answer(own: OwnAnswer): void;
}

/** A body that is not kept. Its envelope is read as it passes, if an observer needs it. */
export interface PassingBody {
  readonly envelope: Envelope | undefined;
  destroy(): unknown;
}

const EMPTY = Buffer.alloc(0);

/**
 * The body, once it can be used: a promise of it stays pending if the client leaves before. A body that is needed
 * whole is still given as it arrives if it is too long, or if its client has stopped sending.
 *
 * @throws ProblemError, or rejects with one: `overloaded` if a body that is needed whole cannot be kept;
 *   `payload_too_large`
 */
export function readBody(
  source: Readable,
  call: BodyReader,
  need: BodyNeed,
  limits: GatewayLimits,
): RequestBody | Promise<RequestBody> {
  const { contentLength, isChunked } = call.inbound;
  if (need === 'none' || (!isChunked && !contentLength)) return emptyBody(need);
  const isShort = contentLength !== undefined && contentLength <= limits.wholeBodyBytes;
  if (isShort && call.keepOfBody(contentLength)) return readWhole(source, call, contentLength);
  if (isShort && isReadHere(need)) throw noRoomForBody();
  if (need === 'judged') return readEntireBody(source, call, limits);
  const body = new BodyStream(source, call, limits);
  return isChunked && need === 'whole' ? readToEnd(source, body, limits.bodySilence) : body;
}

/** The body of a request without one. */
export function emptyBody(need: BodyNeed): Buffer | null {
  return isReadHere(need) ? EMPTY : null;
}

function isReadHere(need: BodyNeed): boolean {
  return need === 'whole' || need === 'judged';
}

/** Reads a short body of declared length. */
function readWhole(source: Readable, call: BodyReader, length: number): Promise<Buffer> {
  return new Promise((resolve) => {
    let chunks: Buffer[] | undefined;
    let size = 0;
    source.on('data', (chunk: Buffer) => {
      size += chunk.length;
      call.received(chunk);
      if (chunks === undefined && size === length) {
        resolve(chunk);
        return;
      }
      chunks ??= [];
      chunks.push(chunk);
      if (size === length) resolve(Buffer.concat(chunks, size));
    });
  });
}

/** @param silence milliseconds: a client that sends nothing may itself be waiting for the response. */
function readToEnd(
  source: Readable,
  body: BodyStream,
  silence: number,
): Promise<Buffer | BodyStream> {
  return new Promise((resolve) => {
    const stop = (): void => {
      clearTimeout(timer);
      source.off('data', onData).off('end', finish).off('close', stop);
      body.off('error', finish).off('close', stop);
    };
    const finish = (): void => {
      stop();
      resolve(body.whole() ?? body);
    };
    const onData = (): void => {
      timer.refresh();
      if (body.isKept) source.resume();
      else finish();
    };
    const timer = setTimeout(finish, silence);
    body.on('error', finish).on('close', stop);
    source.on('data', onData).on('end', finish).on('close', stop).resume();
  });
}

/** The message ids of a body; undefined without a body, or if it was not kept. */
export function messageIdsOf(body: RequestBody): MessageIds | undefined {
  const whole = body instanceof BodyStream ? body.whole() : body;
  return whole ? readMessageIds(whole) : undefined;
}

/**
 * The most chunks kept separately: a client that sends single bytes makes them take more memory than
 * the bytes.
 */
const MAX_CHUNKS = 256;

/**
 * A body on its way upstream, counted and read at the upstream's pace. One without a declared length is
 * kept until it is known to be long. Where its messages are recorded, bytes go on once they have been read: an upstream
 * never gets the end of a body that may hide a call.
 */
export class BodyStream extends Readable implements PassingBody {
  readonly #source: Readable;
  readonly #call: BodyReader;
  readonly #limits: GatewayLimits;
  readonly #passing: PassingEnvelope | undefined;
  #size = 0;
  #kept: Buffer[] | undefined;
  #isRead = false;

  constructor(source: Readable, call: BodyReader, limits: GatewayLimits) {
    super({ highWaterMark: 64 * 1024 });
    this.#source = source;
    this.#call = call;
    this.#limits = limits;
    if (call.inbound.isChunked) this.#kept = [];
    if (call.notes.needsMessages) this.#passing = new PassingEnvelope();
    source.on('data', this.#onData).on('end', this.#onEnd);
    source.pause();
  }

  /** Whether the client has sent all of it. */
  get isRead(): boolean {
    return this.#isRead;
  }

  get isKept(): boolean {
    return this.#kept !== undefined;
  }

  /** The body, once it has been read to its end and if it was kept. */
  whole(): Buffer | undefined {
    return this.#isRead && this.#kept ? Buffer.concat(this.#kept, this.#size) : undefined;
  }

  get envelope(): Envelope | undefined {
    return this.#passing?.envelope;
  }

  override _read(): void {
    this.#source.resume();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#source.off('data', this.#onData).off('end', this.#onEnd);
    this.#call.request.discardRest();
    callback(error);
  }

  #onData = (chunk: Buffer): void => {
    const { requestBytes } = this.#limits;
    this.#size += chunk.length;
    this.#call.received(chunk);
    if (this.#size > requestBytes) {
      this.destroy(refuseTooLarge(this.#call, requestBytes));
      return;
    }
    this.#passing?.feed(chunk);
    if (this.#isRefused(this.#size === this.#call.inbound.contentLength)) return;
    if (this.#kept !== undefined) this.#keep(this.#kept, chunk);
    if (!this.push(chunk)) this.#source.pause();
  };

  /** Refuses the call if its body may hide what it calls. @param isWhole the body has ended */
  #isRefused(isWhole: boolean): boolean {
    const fault = isWhole ? unreadableOf(this.#passing?.envelope) : this.#passing?.fault;
    if (!fault?.mayCall) return false;
    this.#call.answer(unreadable(fault.reason, 'refused'));
    this.destroy();
    return true;
  }

  #keep(kept: Buffer[], chunk: Buffer): void {
    if (this.#size <= this.#limits.wholeBodyBytes && this.#call.keepOfBody(chunk.length)) {
      kept.push(chunk);
      if (kept.length === MAX_CHUNKS) this.#kept = [Buffer.concat(kept)];
    } else {
      this.#kept = undefined;
      this.#call.giveUpBody();
    }
  }

  #onEnd = (): void => {
    if (this.#isRefused(true)) return;
    this.#isRead = true;
    this.push(null);
  };
}

function unreadableOf(envelope: Envelope | undefined): Unreadable | undefined {
  return envelope?.kind === 'unreadable' ? envelope : undefined;
}
