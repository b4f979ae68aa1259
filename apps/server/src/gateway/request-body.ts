import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { type Asked, AskedScanner } from '../mcp/message-scanner.ts';
import type { ProblemError } from '../platform/problem-error.ts';
import { bodyTooLarge } from './problems.ts';
import { readAsked } from './request-ids-reader.ts';

/** The rest of a refused body that is read and thrown away, so that the client gets to the answer. */
const MAX_DISCARDED = 64 * 1024 * 1024;

/** Reads a body whose length is declared, and small. A client that leaves before its end is not told of here. */
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

/** Lets a client finish sending what nobody will read, up to a bound. */
export function discardBody(req: IncomingMessage): void {
  if (req.readableEnded || req.destroyed) return;
  let size = 0;
  req.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_DISCARDED) req.socket.destroy();
  });
  req.resume();
}

/** A long body on its way up: counted, its source slowed to the upstream's pace. */
export class BodyStream extends Readable {
  readonly #req: IncomingMessage;
  readonly #limit: number;
  readonly #scanner = new AskedScanner();
  #size = 0;
  #isRead = false;

  constructor(req: IncomingMessage, limit: number) {
    super({ highWaterMark: 64 * 1024 });
    this.#req = req;
    this.#limit = limit;
    req.on('data', this.#onData).on('end', this.#onEnd);
    req.pause();
  }

  /** Sends no more of it up, and reads what is left for what it asks. */
  readAsked(silence: number, done: (asked: Asked | ProblemError) => void): void {
    if (this.#isRead) {
      done(this.#scanner.asked(true));
      return;
    }
    this.destroy();
    const limits = { bytes: this.#limit, silence };
    readAsked(this.#req, limits, done, { scanner: this.#scanner, size: this.#size });
  }

  override _read(): void {
    this.#req.resume();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#req.off('data', this.#onData).off('end', this.#onEnd);
    discardBody(this.#req);
    callback(error);
  }

  #onData = (chunk: Buffer): void => {
    this.#size += chunk.length;
    if (this.#size > this.#limit) {
      this.destroy(bodyTooLarge(this.#limit));
      return;
    }
    this.#scanner.feed(chunk);
    if (!this.push(chunk)) this.#req.pause();
  };

  #onEnd = (): void => {
    this.#isRead = true;
    this.push(null);
  };
}
