import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { drainRest } from '../http/drain-rest.ts';
import type { MessageIds } from '../mcp/message-id-scanner.ts';
import { readMessageIds } from '../mcp/message-ids.ts';
import type { ProblemError } from '../platform/problem-error.ts';
import { DeferredScan, type KeptBytes } from './deferred-scan.ts';
import type { Inbound } from './inbound.ts';
import type { GatewayLimits } from './limits.ts';
import { bodyTooLarge } from './problems.ts';
import { scanMessageIds } from './scan-message-ids.ts';

export interface RequestBodyDeps {
  readonly limits: GatewayLimits;
  readonly keptBytes: KeptBytes;
}

/** What is sent upstream: nothing, a short body whole, a long one as it arrives. */
export type RequestBody = Buffer | BodyStream | null;

/** Calls `ready` once the request can be sent, which is never if the client leaves during a short body. */
export function readRequestBody(
  req: IncomingMessage,
  { contentLength, isChunked }: Inbound,
  { limits: { requestBytes, wholeBodyBytes }, keptBytes }: RequestBodyDeps,
  ready: (body: RequestBody) => void,
): void {
  if (req.method !== 'POST' || (!isChunked && !contentLength)) {
    ready(null);
  } else if (contentLength !== undefined && contentLength <= wholeBodyBytes) {
    readWhole(req, contentLength, ready);
  } else {
    ready(new BodyStream(req, requestBytes, new DeferredScan(keptBytes)));
  }
}

/** Reads a short body of declared length. */
export function readWhole(
  req: IncomingMessage,
  length: number,
  done: (body: Buffer) => void,
): void {
  let chunks: Buffer[] | undefined;
  let size = 0;
  req.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (chunks === undefined && size === length) {
      done(chunk);
      return;
    }
    chunks ??= [];
    chunks.push(chunk);
    if (size === length) done(Buffer.concat(chunks, size));
  });
}

/** The message ids of a body that is being sent, as far as they are known; undefined if there is no body. */
export function messageIdsOf(body: RequestBody): MessageIds | undefined {
  if (body === null) return undefined;
  return body instanceof BodyStream ? body.messageIds() : readMessageIds(body);
}

/**
 * What is left to do with a body once the response has begun: the ids of its messages are of use only
 * on an event stream, which may end before its time.
 */
export function onResponseBegun(body: RequestBody, isStream: boolean): void {
  if (!(body instanceof BodyStream)) return;
  if (isStream) body.scanNow();
  else body.releaseIds();
}

/** A long body on its way upstream: counted, read at the upstream's pace, and kept or scanned for its message ids. */
export class BodyStream extends Readable {
  readonly #req: IncomingMessage;
  readonly #limit: number;
  readonly #scan: DeferredScan;
  #size = 0;
  #isRead = false;
  /** The rest is read for its message ids, and drained when the call is refused. */
  #isScanned = false;

  constructor(req: IncomingMessage, limit: number, scan: DeferredScan) {
    super({ highWaterMark: 64 * 1024 });
    this.#scan = scan;
    this.#req = req;
    this.#limit = limit;
    req.on('data', this.#onData).on('end', this.#onEnd);
    req.pause();
  }

  messageIds(): MessageIds {
    return this.#scan.messageIds(this.#isRead);
  }

  /** So that a stream that stays does not keep the body. */
  scanNow(): void {
    this.#scan.scanner();
  }

  releaseIds(): void {
    this.#scan.release();
  }

  /** Sends no more of the body, and reads the rest only for its message ids. */
  scanRest(silence: number, done: (ids: MessageIds | ProblemError) => void): void {
    if (this.#isRead) {
      done(this.#scan.messageIds(true));
      return;
    }
    this.#isScanned = true;
    this.destroy();
    const limits = { bytes: this.#limit, silence };
    scanMessageIds(this.#req, limits, done, { scanner: this.#scan.scanner(), size: this.#size });
  }

  override _read(): void {
    this.#req.resume();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#req.off('data', this.#onData).off('end', this.#onEnd);
    if (!this.#isScanned) drainRest(this.#req);
    callback(error);
  }

  #onData = (chunk: Buffer): void => {
    this.#size += chunk.length;
    if (this.#size > this.#limit) {
      this.destroy(bodyTooLarge(this.#limit));
      return;
    }
    this.#scan.feed(chunk);
    if (!this.push(chunk)) this.#req.pause();
  };

  #onEnd = (): void => {
    this.#isRead = true;
    this.push(null);
  };
}
